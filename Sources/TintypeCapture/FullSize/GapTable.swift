// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeModel
package import TintypeSystem

struct GapWatch: Sendable {
    let began: MonotonicTime
    /// Nil while the interruption lasts.
    var duration: Duration?
    var replies: [Reply<Duration>] = []
}

/// Recent stream interruptions by number of the full-size stream; clients that have their frame wait for the duration.
struct GapTable {
    private var watches: [UInt64: GapWatch] = [:]

    private static let limit = 4

    mutating func begin(_ watch: GapWatch, stream: UInt64) {
        watches[stream] = watch
        guard watches.count > Self.limit, let oldest = watches.keys.min() else { return }
        watches[oldest] = nil
    }

    /// Start of the interruption for `stream`, and a reply resolved with its duration once over; nil if unknown.
    mutating func watch(_ stream: UInt64, by clock: any MonotonicClock) -> (
        began: MonotonicTime, reply: Reply<Duration>
    )? {
        guard let watch = watches[stream] else { return nil }
        let reply = Reply<Duration>(clock: clock)
        if let duration = watch.duration {
            reply.resolve(.success(duration))
        } else {
            watches[stream]?.replies.append(reply)
        }
        return (watch.began, reply)
    }

    /// Ends the interruption and returns the replies to resolve with `duration`.
    mutating func end(after duration: Duration) -> [Reply<Duration>] {
        var replies: [Reply<Duration>] = []
        for (stream, watch) in watches where watch.duration == nil {
            replies += watch.replies
            watches[stream] = GapWatch(began: watch.began, duration: duration)
        }
        return replies
    }
}

/// Interruptions of a camera's stream for full-size stills; any thread, never blocks.
package final class StreamGaps: Sendable {
    private struct State {
        /// Time of the last frame before the current interruption.
        var began: MonotonicTime?
        var table = GapTable()
    }

    private let state = Mutex(State())
    private let clock: any MonotonicClock

    init(clock: any MonotonicClock) { self.clock = clock }

    /// Registers the stream of the largest size that runs during the current interruption, if any.
    func register(stream: UInt64) {
        state.withLock { state in
            if let began = state.began { state.table.begin(GapWatch(began: began), stream: stream) }
        }
    }

    /// Start of the interruption for `stream`, and a reply resolved with its duration once over; nil if unknown.
    package func gap(of stream: UInt64) -> (began: MonotonicTime, reply: Reply<Duration>)? {
        state.withLock { $0.table.watch(stream, by: clock) }
    }

    /// Time of the last frame before the current interruption; nil if not interrupted.
    var began: MonotonicTime? { state.withLock(\.began) }

    /// Begins an interruption after the frame of `moment`, unless one is in progress.
    func begin(at moment: MonotonicTime) { state.withLock { $0.began = $0.began ?? moment } }

    /// Ends the current interruption, if any, and returns its duration.
    func end(at moment: MonotonicTime) -> Duration? {
        let (duration, replies) = state.withLock { state -> (Duration?, [Reply<Duration>]) in
            guard let began = state.began.take() else { return (nil, []) }
            let duration = max(.zero, moment - began)
            return (duration, state.table.end(after: duration))
        }
        if let duration { for reply in replies { reply.resolve(.success(duration)) } }
        return duration
    }
}
