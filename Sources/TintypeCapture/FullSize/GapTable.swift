// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeModel
package import TintypeSystem

/// Clients that want to know how long an interruption takes.
struct GapWatch: Sendable {
    let began: MonotonicTime
    /// Nil as long as it goes on.
    var duration: Duration?
    var replies: [Reply<Duration>] = []
}

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

    /// The interruption is over after `duration`; returns the clients that are to be told.
    mutating func end(after duration: Duration) -> [Reply<Duration>] {
        var replies: [Reply<Duration>] = []
        for (stream, watch) in watches where watch.duration == nil {
            replies += watch.replies
            watches[stream] = GapWatch(began: watch.began, duration: duration)
        }
        return replies
    }
}

/// Clients that want a still of the largest size, and clients that must not get it.
extension FrameHub {
    /// Says whom the frames that come from now on are for.
    func set(_ kind: StreamKind) { state.withLock { $0.table.kind = kind } }

    /// Whether anybody waits for a frame of the usual size that has not been taken yet.
    var awaitsUsual: Bool {
        state.withLock { state in
            state.table.demands.contains { $0.isOpen && !$0.plan.isSubscription && !$0.wish.isLargest }
        }
    }

    /// What clients want of the camera, as far as its largest size goes.
    var fullSizeDemand: FullSizeRule.Demand {
        state.withLock { state in
            let largest = state.table.demands.filter(\.wish.isLargest)
            return FullSizeRule.Demand(
                awaitsLargest: largest.contains(where: \.isOpen),
                isLargestInDemand: largest.contains(where: \.isPending),
                isInBurst: state.bursts > 0 || state.table.demands.contains { $0.forbidsGaps }
            )
        }
    }

    /// Tells clients that want the largest size that there will be no frame of it.
    func failLargest(_ problem: Problem) {
        change { state in
            state.table.changeAll { demand in if demand.wish.isLargest { demand.fail(problem) } }
        }
    }

    /// Records that `stream` runs in an interruption that began with the last frame before it.
    func recordGap(since began: MonotonicTime, stream: UInt64) {
        state.withLock { $0.gaps.begin(GapWatch(began: began), stream: stream) }
    }

    /// How long the interruption takes that `stream` ran in, once it is over, and since when it goes on; nil if it was
    /// none.
    package func gap(of stream: UInt64) -> (began: MonotonicTime, reply: Reply<Duration>)? {
        state.withLock { $0.gaps.watch(stream, by: clock) }
    }

    /// When the last frame came before the interruption that goes on; nil where none does.
    var gapBegan: MonotonicTime? { state.withLock { $0.gapBegan } }

    /// The stream is interrupted after a frame that came at `moment`.
    func beginGap(at moment: MonotonicTime) { state.withLock { $0.gapBegan = $0.gapBegan ?? moment } }

    /// Ends the interruption, if there is one.
    ///
    /// Returns how long it lasted.
    func endGap(at moment: MonotonicTime) -> Duration? {
        let (duration, replies) = state.withLock { state -> (Duration?, [Reply<Duration>]) in
            guard let began = state.gapBegan.take() else { return (nil, []) }
            let duration = max(.zero, moment - began)
            state.snapshot.counters.gaps += 1
            return (duration, state.gaps.end(after: duration))
        }
        if let duration { for reply in replies { reply.resolve(.success(duration)) } }
        return duration
    }
}
