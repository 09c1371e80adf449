// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Pictures that retention has found it cannot remove, and goes on behind.
struct UnremovableFiles {
    /// The most that are remembered; others are tried again each time.
    private static let most = 10_000
    /// For how long: it may have been mended.
    private static let lifetime = Duration.seconds(3600)

    private var ids: Set<FrameID> = []
    private var since: MonotonicTime?
    /// Why one of them could not be removed; nil if there is none.
    private(set) var example: FileError?

    func contains(_ id: FrameID) -> Bool { ids.contains(id) }

    /// Remembers one; whether it is new.
    mutating func insert(_ kept: FrameDeletion.Kept) -> Bool {
        guard ids.count < Self.most else { return false }
        since = since ?? .now()
        example = example ?? kept.error
        return ids.insert(kept.row.id).inserted
    }

    /// Forgets them where that is due.
    mutating func forgetOld(at now: MonotonicTime) {
        if let since, now - since >= Self.lifetime { self = UnremovableFiles() }
    }
}
