// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel
internal import TintypeThreads

/// Clients that want a still of the largest size, and clients that must not get it.
extension FrameHub {
    /// Whom the frames of a stream are for.
    enum StreamKind: Sendable {
        /// For all but clients that want the largest size.
        case usual
        /// For clients that want the largest size, and for no others.
        case largest
        /// For everybody: the usual size is the largest.
        case both
    }

    /// Says whom the frames that come from now on are for.
    func set(_ kind: StreamKind) { state.withLock { $0.kind = kind } }

    /// Whether a client waits for a frame of the largest size that has not been taken yet.
    var awaitsLargest: Bool { state.withLock { $0.waiting.values.contains { $0.wish.isLargest } } }

    /// The same, or for what is made of one.
    var isLargestInDemand: Bool {
        state.withLock { state in
            state.waiting.values.contains { $0.wish.isLargest }
                || state.rendering.values.contains { $0.contains { $0.wish.isLargest } }
        }
    }

    /// Whether anybody waits for a frame of the usual size that has not been taken yet.
    var awaitsUsual: Bool { state.withLock { $0.isFeeding || $0.waiting.values.contains { !$0.wish.isLargest } } }

    /// Whether frames are being taken one after the other, of which none must be missing.
    var isInBurst: Bool { state.withLock { $0.bursts > 0 || $0.feeds.values.contains { $0.feed.forbidsGaps } } }

    /// Keeps an open camera open, and its stream from being interrupted, until ``endBurst(isGone:)``.
    func beginBurst() {
        state.withLock { state in
            state.bursts += 1
            state.watches += 1
        }
    }

    /// Ends what ``beginBurst()`` began.
    func endBurst(isGone: Bool) {
        state.withLock { $0.bursts -= 1 }
        endWatch(isGone: isGone)
    }

    /// Tells clients that want the largest size that there will be no frame of it.
    func failLargest(_ problem: Problem) {
        let demands = state.withLock { state in
            let demands = state.waiting.values.filter(\.wish.isLargest)
            for demand in demands { state.waiting[demand.id] = nil }
            return demands
        }
        for demand in demands { demand.reply.resolve(.failure(problem)) }
    }

    // MARK: - How long the stream was interrupted

    /// The most interruptions that are remembered for clients that have their frame and ask later.
    private static let mostGaps = 4

    /// Notes that `stream` runs in an interruption that began with the last frame before it.
    func noteGap(since began: MonotonicTime, stream: UInt64) {
        state.withLock { state in
            state.gaps[stream] = GapWatch(began: began)
            guard state.gaps.count > Self.mostGaps, let oldest = state.gaps.keys.min() else { return }
            state.gaps[oldest] = nil
        }
    }

    /// How long the interruption takes that `stream` ran in, once it is over, and since when it goes on; nil if it was
    /// none.
    func gap(of stream: UInt64) -> (began: MonotonicTime, reply: Reply<Duration>)? {
        state.withLock { state in
            guard let gap = state.gaps[stream] else { return nil }
            let reply = Reply<Duration>()
            if let duration = gap.duration {
                reply.resolve(.success(duration))
            } else {
                state.gaps[stream]?.replies.append(reply)
            }
            return (gap.began, reply)
        }
    }

    /// The interruption is over: clients that take one frame after the other are told before the next.
    func endGap(_ gap: StreamGap) {
        let replies = state.withLock { state -> [Reply<Duration>] in
            state.snapshot.counters.gaps += 1
            state.snapshot.lastGap = gap
            for feeding in state.feeds.values { feeding.feed.note(gap) }
            var replies: [Reply<Duration>] = []
            for (stream, watch) in state.gaps where watch.duration == nil {
                replies += watch.replies
                state.gaps[stream] = GapWatch(began: watch.began, duration: gap.duration)
            }
            return replies
        }
        for reply in replies { reply.resolve(.success(gap.duration)) }
    }
}

extension FrameHub.State {
    /// Whether frames of the stream that runs can be what is wished.
    func serves(_ wish: FrameWish) -> Bool {
        switch kind {
        case .usual: !wish.isLargest
        case .largest: wish.isLargest
        case .both: true
        }
    }
}
