// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import TintypeThreads

/// Interruptions of a stream for stills of the largest size, by the stream that ran in them, for clients that have their
/// frame and ask how long it took to go on.
struct GapTable {
    private var watches: [UInt64: GapWatch] = [:]

    /// The most that are remembered.
    private static let limit = 4

    /// `stream` runs in an interruption.
    mutating func begin(_ watch: GapWatch, stream: UInt64) {
        watches[stream] = watch
        guard watches.count > Self.limit, let oldest = watches.keys.min() else { return }
        watches[oldest] = nil
    }

    /// When the interruption began that `stream` ran in, and how long it lasts once it is over; nil if it was none.
    mutating func watch(_ stream: UInt64) -> (began: MonotonicTime, reply: Reply<Duration>)? {
        guard let watch = watches[stream] else { return nil }
        let reply = Reply<Duration>()
        if let duration = watch.duration {
            reply.resolve(.success(duration))
        } else {
            watches[stream]?.replies.append(reply)
        }
        return (watch.began, reply)
    }

    /// The interruption is over; returns the clients that are to be told.
    mutating func end(_ gap: StreamGap) -> [Reply<Duration>] {
        var replies: [Reply<Duration>] = []
        for (stream, watch) in watches where watch.duration == nil {
            replies += watch.replies
            watches[stream] = GapWatch(began: watch.began, duration: gap.duration)
        }
        return replies
    }
}
