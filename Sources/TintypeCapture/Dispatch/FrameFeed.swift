// SPDX-License-Identifier: Apache-2.0
package import TintypeModel
internal import TintypeSystem

/// Frame stream of one client, for one task, which must call ``close(isGone:)`` at the end; suspends, never blocks.
package struct FrameFeed: Sendable {
    package enum Step: Sendable {
        case frame(FrameDelivery)
        /// End of the feed, and the frames skipped since the last delivery.
        case end(skipped: [SkipReason: Int])
        case failed(Problem)
    }

    let dispatcher: FrameDispatcher
    let id: UInt64

    /// Waits for the next step until `moment`; nil on timeout, a problem with code `stopping` if the task is cancelled.
    package func next(until moment: MonotonicTime) async -> Step? {
        while true {
            let waiter = Reply<Bool>(clock: dispatcher.clock)
            if let step = dispatcher.change({ $0.table.take(id, orElse: waiter) }) { return step }
            switch await waiter.wait(until: moment) {
            case .success: continue
            case .failure(let problem): return .failed(problem)
            case nil: return nil
            }
        }
    }

    package var lastUnwanted: MonotonicTime { dispatcher.demand(id)?.lastUnwanted ?? FrameDispatcher.never }

    package var passedOver: PassedFrames { dispatcher.demand(id)?.passedOver ?? PassedFrames() }

    /// Returns the frames skipped since the last call; deliveries have them, too.
    package func takeUncounted() -> [SkipReason: Int] {
        dispatcher.change { state in
            var skipped: [SkipReason: Int] = [:]
            state.table.change(id) { skipped = $0.takeUncounted() }
            return skipped
        }
    }

    /// Requests no further frame; frames already taken are still delivered.
    package func end() { dispatcher.change { state in state.table.change(id) { $0.end() } } }

    /// Ends the feed and returns the frames skipped since the last delivery; `isGone`: the client has disconnected, so
    /// that a camera opened only for it is closed.
    @discardableResult
    package func close(isGone: Bool) -> PassedFrames {
        dispatcher.change { state in
            if isGone { state.gone += 1 }
            return state.table.remove(id, isGone: isGone, now: dispatcher.clock.now)
        }
    }
}

extension CaptureSession {
    /// Subscribes as ``FrameDispatcher/open(_:_:in:ifStopped:making:)``, and encodes the held frame if it matches; any thread.
    package nonisolated func frames(
        _ plan: Demand.Plan,
        _ wish: FrameWish,
        in place: RequestLimiter.Place?,
        ifStopped stops: Int? = nil
    ) -> FrameFeed {
        dispatcher.open(plan, wish, in: place, ifStopped: stops) { context.encode($0, as: $1, mayCopyHere: true) }
    }
}

package struct FrameDelivery: Sendable {
    package let frame: EncodedImage
    package var skipped: [SkipReason: Int] = [:]
    /// Delay of the first frame caused by settling alone; zero for later frames.
    package var settleDelay = Duration.zero
    /// True if exposure and white balance had settled at this frame; nil if that was not analysed.
    package var isSettled: Bool?
    /// The last opening of the camera when the frame was taken; nil for a frame delivered without waiting.
    package var opening: SessionSnapshot.Opening?
}

/// Criteria of a client for the frames that it waits for.
package struct FrameWish: Hashable, Sendable {
    var fresh: Freshness
    var options: EncodingOptions
    var settle: SettlePolicy = .never
    /// Latest time until which ``SettlePolicy/auto`` waits, early enough before the deadline to still take a frame.
    var settleBy = MonotonicTime(nanoseconds: .max)
    /// Accepts only frames after this one; nil for any.
    var after: FrameKey?
    var isLargest = false
    /// Opens the camera and keeps it open; false to use only frames taken for other clients.
    var opens = true
    package var requestedAt: MonotonicTime
}

package struct PassedFrames: Hashable, Sendable {
    package var skipped: [SkipReason: Int] = [:]
    package var faults: [PictureFault: Int] = [:]

    mutating func count(_ reason: SkipReason, _ count: Int = 1) { skipped[reason, default: 0] += count }

    mutating func uncount(_ reason: SkipReason) {
        guard let count = skipped[reason] else { return }
        skipped[reason] = count > 1 ? count - 1 : nil
    }
}
