// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Whether deleting pictures makes room on the file system.
///
/// Most show the room at once. Btrfs shows it when it commits, within half a minute: until then what was deleted counts as
/// free, so that not more goes than must. Where a snapshot or a hard link keeps the bytes, it never comes, and no more
/// pictures go for nothing.
struct RoomWatch: Sendable {
    /// How long a file system may take to show what has become free.
    static let timeLimit = Duration.seconds(60)
    /// When it is tried again after it was in vain.
    static let rest = Duration.seconds(86_400)
    /// The least and the most that goes before any of it was seen to become free: less is lost in what the catalog takes.
    private static let lots = (1 << 20)...(64 << 20)

    /// The bytes of all pictures, about.
    var total = 0
    /// Bytes of pictures that went and have not been seen to become free.
    private(set) var unseen = 0
    /// Whether that has been so for too long.
    private(set) var isIneffective = false
    /// The free bytes before the first of them was deleted.
    private var base = 0
    /// The bytes that were stored since.
    private var written = 0
    /// When the last of them went.
    private var last = MonotonicTime(nanoseconds: 0)
    /// By how often room was seen to come late, larger lots may go before it does.
    private var growth = 0

    private var lot: Int { min(max(total / 8, Self.lots.lowerBound), Self.lots.upperBound) << growth }

    /// Whether no more may go for room now.
    var isExhausted: Bool { isIneffective || unseen >= lot }

    /// The bytes that may go before it is looked again whether that makes room.
    var allowance: Int { isExhausted ? 0 : lot - unseen }

    /// The bytes that should become free yet.
    func pending(at now: MonotonicTime) -> Int { !isIneffective && now - last < Self.timeLimit ? unseen : 0 }

    /// Notes that pictures of so many bytes went, and what was free before and after.
    mutating func noteDeleted(_ bytes: Int, before: Int, after: Int, at now: MonotonicTime) {
        let gain = max(0, after - before)
        guard gain < bytes / 2 else { return }
        if unseen == 0 { (base, written) = (before, 0) }
        unseen += bytes - gain
        last = now
    }

    /// Notes that a picture of so many bytes was stored.
    mutating func noteStored(_ bytes: Int) { if unseen > 0 { written += bytes } }

    /// Looks at what is free, of which `least` should be; whether it turns out now that pictures went in vain.
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
