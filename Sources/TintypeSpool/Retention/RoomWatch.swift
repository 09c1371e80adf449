// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Tracks if deleting pictures frees space on the file system.
///
/// Most file systems show the space at once. Btrfs shows it at its next commit, within half a minute; until then
/// deleted bytes count as free, to avoid excess deletions. If a snapshot or a hard link holds the bytes, the space
/// never appears, and deleting stops.
struct RoomWatch: Sendable {
    /// Maximum time for a file system to show freed space.
    static let timeLimit = Duration.seconds(60)
    /// Time until the next attempt after deleting had no effect.
    static let rest = Duration.seconds(86_400)
    /// Range of bytes deleted before any are seen as free; less would be hidden by growth of the catalog.
    private static let lots = (1 << 20)...(64 << 20)

    /// Approximate bytes of all pictures.
    var total = 0
    /// Bytes deleted but not yet seen as free.
    private(set) var unseen = 0
    /// True if freed space has not appeared for too long.
    private(set) var isIneffective = false
    /// Free bytes before the first of these deletions.
    private var base = 0
    /// Bytes stored since the first of these deletions.
    private var written = 0
    /// Time of the last of these deletions.
    private var last = MonotonicTime(nanoseconds: 0)
    /// Exponent that enlarges the lot each time freed space appeared late.
    private var growth = 0

    private var lot: Int { min(max(total / 8, Self.lots.lowerBound), Self.lots.upperBound) << growth }

    /// True if no more pictures may be deleted for space now.
    var isExhausted: Bool { isIneffective || unseen >= lot }

    /// Bytes that may be deleted before the next check for effect.
    var allowance: Int { isExhausted ? 0 : lot - unseen }

    /// Bytes expected to become free.
    func pending(at now: MonotonicTime) -> Int { !isIneffective && now - last < Self.timeLimit ? unseen : 0 }

    mutating func noteDeleted(_ bytes: Int, before: Int, after: Int, at now: MonotonicTime) {
        let gain = max(0, after - before)
        guard gain < bytes / 2 else { return }
        if unseen == 0 { (base, written) = (before, 0) }
        unseen += bytes - gain
        last = now
    }

    mutating func noteStored(_ bytes: Int) { if unseen > 0 { written += bytes } }

    /// Evaluates the free bytes; returns true if it now turns out that deleting had no effect.
    mutating func look(_ available: Int, at now: MonotonicTime) -> Bool {
        guard unseen > 0 else { return false }
        if available + written >= base + unseen / 2 {
            if !isIneffective { growth = min(growth + 2, 20) }
            (unseen, isIneffective) = (0, false)
        } else if isIneffective {
            if now - last >= Self.rest { (unseen, isIneffective) = (0, false) }
        } else if now - last >= Self.timeLimit {
            (isIneffective, growth) = (true, 0)
            return true
        }
        return false
    }
}
