// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Files that could not be removed, which retention passes over for a time.
struct UnremovableFiles {
    /// Maximum number remembered; the others are tried again each time.
    private static let most = 10_000
    /// Time until all are tried again, since the cause may have been repaired.
    private static let lifetime = Duration.seconds(3600)

    private var ids: Set<FrameID> = []
    private var since: MonotonicTime?
    /// Error of the first of them.
    private(set) var example: FileError?

    func contains(_ id: FrameID) -> Bool { ids.contains(id) }

    mutating func insert(_ kept: FrameDeletion.Kept, at now: MonotonicTime) -> Bool {
        guard ids.count < Self.most else { return false }
        since = since ?? now
        example = example ?? kept.error
        return ids.insert(kept.row.id).inserted
    }

    mutating func forgetOld(at now: MonotonicTime) {
        if let since, now - since >= Self.lifetime { self = UnremovableFiles() }
    }
}
