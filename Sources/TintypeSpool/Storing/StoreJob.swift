// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// One still on its way into the spool, from the one who waits for it through the threads that do the work.
final class StoreJob: Sendable {
    /// Counts the stills of a spool in the order in which they were asked for.
    let number: UInt64
    let record: StillRecord
    let durability: Durability
    let source: FrameSource
    /// The record as it is stored.
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

    /// How new the picture is among those of its camera since the daemon's start: by the moment of its capture, since
    /// several may be stored at a time, and stills of the past as well; of stills of one frame by who asked last.
    var newness: Newness { Newness(capturedAt: record.capturedMonotonicNs ?? 0, number: number) }

    /// The picture; nil once it is let go of.
    var bytes: [UInt8]? { picture.withLock(\.self) }

    /// Lets go of the picture: no client waits for it any more, and the disk may never come to it.
    func dropPicture() { picture.withLock { $0 = nil } }
}

/// See ``StoreJob/newness``.
struct Newness: Comparable {
    /// Nanoseconds of `CLOCK_MONOTONIC`.
    let capturedAt: Int64
    let number: UInt64

    static func < (one: Newness, other: Newness) -> Bool {
        (one.capturedAt, one.number) < (other.capturedAt, other.number)
    }
}

/// A still whose bytes are in `.incoming`, and as far on the disk as was asked for.
struct WrittenStill: Sendable {
    let job: StoreJob
    /// The whole path of its file.
    let temporary: String
    /// In lower-case hexadecimal.
    let sha256: String
}
