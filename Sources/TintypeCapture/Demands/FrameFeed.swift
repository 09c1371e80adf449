// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import TintypeThreads

/// The frames of one client, as they are handed out to it; to be ended by ``close(isGone:)``.
///
/// To be used by one task. Suspends, never blocks.
struct FrameFeed: Sendable {
    /// What comes next.
    enum Step: Sendable {
        /// A frame, what was passed over between the one before and this one, and how long settling alone has kept it
        /// back if it is the first.
        case frame(Frame, skipped: [SkipReason: Int], settle: Duration)
        /// The stream was interrupted: there is no frame of that time.
        case gap(StreamGap)
        /// Nothing any more, and what was passed over since the last frame.
        case end(skipped: [SkipReason: Int])
        /// There will be none.
        case failed(Problem)
    }

    let hub: FrameHub
    let id: UInt64

    /// Waits for what comes next; nil if nothing has by `moment`.
    ///
    /// A task that is cancelled is told so by a problem with code `stopping`.
    func next(until moment: MonotonicTime) async -> Step? {
        while true {
            let waiter = Reply<Bool>(clock: hub.clock)
            if let step = hub.change({ $0.table.take(id, orElse: waiter) }) { return step }
            switch await waiter.wait(until: moment) {
            case .success: continue
            case .failure(let problem): return .failed(problem)
            case nil: return nil
            }
        }
    }

    /// What there is now; nil if that would have to be waited for.
    func step() -> Step? { hub.change { $0.table.take(id, orElse: nil) } }

    /// When the newest frame came that is none of every n-th.
    var lastUnwanted: MonotonicTime { hub.demand(id)?.lastUnwanted ?? FrameHub.never }

    /// What was passed over since the last frame that was handed out.
    var passedOver: PassedFrames { hub.demand(id)?.passedOver ?? PassedFrames() }

    /// Takes no further frame; those that have come are still handed out.
    func end() { hub.change { state in state.table.change(id) { $0.end() } } }

    /// Ends it, whatever has not been handed out; returns what was passed over since the last frame that was.
    ///
    /// `isGone` says that the client has gone away: a camera that was opened for no other client closes then.
    @discardableResult
    func close(isGone: Bool) -> PassedFrames {
        hub.change { state in
            if isGone { state.gone += 1 }
            return state.table.remove(id, isGone: isGone, now: hub.clock.now)
        }
    }
}

/// What a client wants of the frame that it waits for.
struct FrameWish: Hashable, Sendable {
    /// How fresh it has to be.
    var fresh: Freshness
    /// What is made of it, and how whole it has to be.
    var rendition: Rendition
    /// Whether it has to wait for exposure and white balance.
    var settle = SettlePolicy.never
    /// Until when ``SettlePolicy/auto`` waits for that: so long before the deadline that there is time for the frame.
    var settleBy = MonotonicTime(nanoseconds: .max)
    /// Only a frame that came later than this one; nil for any.
    var after: FrameKey?
    /// Whether it has to be of the largest size that the camera has.
    var isLargest = false
    /// When the request arrived.
    var requestedAt: MonotonicTime
}
