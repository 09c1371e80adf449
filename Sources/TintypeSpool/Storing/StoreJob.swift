// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

final class StoreJob: Sendable {
    /// Order of request within a spool.
    let number: UInt64
    let record: StillRecord
    let durability: Durability
    let source: FrameSource
    let reply: Reply<StillRecord>

    private let picture: Mutex<[UInt8]?>

    init(number: UInt64, still: Still, durability: Durability, source: FrameSource, clock: any MonotonicClock) {
        reply = Reply(clock: clock)
        self.number = number
        self.durability = durability
        self.source = source
        var record = still.record
        record.bytes = still.picture.count
        self.record = record
        picture = Mutex(still.picture)
    }

    /// Order among pictures of the same camera since the daemon's start: by capture time, since several stills, also
    /// past ones, may be stored concurrently; stills of the same frame by order of request.
    var newness: Newness { Newness(capturedAt: record.capturedMonotonicNs ?? 0, number: number) }

    /// Nil once dropped.
    var bytes: [UInt8]? { picture.withLock(\.self) }

    /// Frees the picture: no client waits for it any more, and the disk may never respond.
    func dropPicture() { picture.withLock { $0 = nil } }
}

struct Newness: Comparable {
    /// Nanoseconds of `CLOCK_MONOTONIC`.
    let capturedAt: Int64
    let number: UInt64

    static func < (one: Newness, other: Newness) -> Bool {
        (one.capturedAt, one.number) < (other.capturedAt, other.number)
    }
}

/// A still in `.incoming`, flushed as requested.
struct WrittenStill: Sendable {
    let job: StoreJob
    /// Absolute path of its file.
    let temporary: String
    /// In lower-case hexadecimal.
    let sha256: String
}
