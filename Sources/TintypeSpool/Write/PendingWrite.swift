// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// A still on its way into the spool.
///
/// Its variables belong to one thread at a time, a writing thread or the storage thread. The client that waits
/// for the reply uses only ``reply`` and ``dropPicture()``, which are safe on any thread.
final class PendingWrite: @unchecked Sendable {
    /// Order of request within a spool.
    let number: UInt64
    let durability: Durability
    let source: FrameSource
    let reply: Reply<StillRecord>
    private let content: Mutex<[UInt8]?>

    /// Gets `sha256` with the file, `stored` with the row, `path` with the reply.
    var record: StillRecord
    /// Absolute path of the written file in `.incoming`.
    var temporary = ""
    /// End of the final name.
    var ending = "jpg"
    /// Recording of a clip, which is removed once the clip has its row.
    var recording: String?
    /// Final name; nil before it has one.
    var path: SpoolPath?
    /// Reason why the still is not stored; nil so far.
    var problem: Problem?

    init(number: UInt64, _ still: Still, _ durability: Durability, _ source: FrameSource, clock: any MonotonicClock) {
        (self.number, self.durability, self.source) = (number, durability, source)
        reply = Reply(clock: clock)
        content = Mutex(still.picture)
        record = still.record
        record.bytes = still.picture.count
    }

    /// Order among pictures of the same camera since the daemon's start: by capture time, since several stills, also
    /// past ones, may be stored concurrently; stills of the same frame by order of request.
    var recency: Recency { (record.capturedMonotonicNs ?? 0, number) }

    var isStill: Bool { record.kind == nil }

    /// Nil once dropped.
    var picture: [UInt8]? { content.withLock(\.self) }

    /// Frees the picture: no client waits for it any more, and the disk may never respond.
    func dropPicture() { content.withLock { $0 = nil } }
}

typealias Recency = (capturedMonotonicNs: Int64, number: UInt64)
