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

extension FrameDispatcher {
    func set(_ kind: StreamKind) { state.withLock { $0.table.kind = kind } }

    /// True while a client waits for a frame of the usual size that has not been taken.
    var awaitsUsual: Bool {
        state.withLock { state in
            state.table.demands.contains { $0.isOpen && !$0.plan.isSubscription && !$0.wish.isLargest }
        }
    }

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

    func failLargest(_ problem: Problem) {
        change { state in state.table.changeAll { demand in if demand.wish.isLargest { demand.fail(problem) } } }
    }

    /// Registers an interruption since the last frame at `began`, during which `stream` runs.
    func recordGap(since began: MonotonicTime, stream: UInt64) {
        state.withLock { $0.gaps.begin(GapWatch(began: began), stream: stream) }
    }

    /// Start of the interruption for `stream`, and a reply resolved with its duration once over; nil if unknown.
    package func gap(of stream: UInt64) -> (began: MonotonicTime, reply: Reply<Duration>)? {
        state.withLock { $0.gaps.watch(stream, by: clock) }
    }

    /// Time of the last frame before the current interruption; nil if not interrupted.
    var gapBegan: MonotonicTime? { state.withLock { $0.gapBegan } }

    /// Begins an interruption after the frame of `moment`, unless one is in progress.
    func beginGap(at moment: MonotonicTime) { state.withLock { $0.gapBegan = $0.gapBegan ?? moment } }

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
