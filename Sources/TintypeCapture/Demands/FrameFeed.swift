// SPDX-License-Identifier: Apache-2.0
package import TintypeModel
internal import TintypeSystem

/// The frames of one client, as they are handed out to it; to be ended by ``close(isGone:)``.
///
/// To be used by one task. Suspends, never blocks.
package struct FrameFeed: Sendable {
    /// What comes next.
    package enum Step: Sendable {
        /// A frame.
        case frame(FrameDelivery)
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
    package func next(until moment: MonotonicTime) async -> Step? {
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

    /// When the newest frame came that is none of every n-th.
    package var lastUnwanted: MonotonicTime { hub.demand(id)?.lastUnwanted ?? FrameHub.never }

    /// What was passed over since the last frame that was handed out.
    package var passedOver: PassedFrames { hub.demand(id)?.passedOver ?? PassedFrames() }

    /// Takes no further frame; those that have come are still handed out.
    package func end() { hub.change { state in state.table.change(id) { $0.end() } } }

    /// Ends it, with frames left or not; returns what was passed over since the last frame that was.
    ///
    /// `isGone` says that the client has gone away: a camera that was opened for no other client closes then.
    @discardableResult
    package func close(isGone: Bool) -> PassedFrames {
        hub.change { state in
            if isGone { state.gone += 1 }
            return state.table.remove(id, isGone: isGone, now: hub.clock.now)
        }
    }
}

extension CaptureSession {
    /// Begins to take frames that are as wished, and has the one that is held made where that does.
    ///
    /// See ``FrameHub/open(_:_:in:ifStopped:making:)``. Any thread; never blocks.
    package nonisolated func frames(
        _ plan: Demand.Plan,
        _ wish: FrameWish,
        in place: WaitingRoom.Place?,
        ifStopped stops: Int? = nil
    ) -> FrameFeed {
        hub.open(plan, wish, in: place, ifStopped: stops) { context.encode($0, as: $1, mayCopyHere: true) }
    }
}

/// A frame as it is handed out, with all that is to be told of it.
package struct FrameDelivery: Sendable {
    /// What was made of the frame.
    package let frame: Frame
    /// What was passed over between the one before and this one.
    package var skipped: [SkipReason: Int] = [:]
    /// How long settling alone has kept it back, if it is the first.
    package var settleDelay = Duration.zero
    /// Whether exposure and white balance had settled at it; nil where that was not looked at.
    package var isSettled: Bool?
    /// The last opening of the camera when it was taken; nil where the frame needed no waiting.
    package var opening: SessionSnapshot.Opening?

    /// A delivery of these parts.
    package init(_ frame: Frame, isSettled: Bool? = nil) {
        self.frame = frame
        self.isSettled = isSettled
    }
}

/// What a client wants of the frame that it waits for.
package struct FrameWish: Hashable, Sendable {
    /// How fresh it has to be.
    var fresh: Freshness
    /// What is made of it, and how whole it has to be.
    var rendition: Rendition
    /// Whether it has to wait for exposure and white balance.
    var settle: SettlePolicy = .never
    /// Until when ``SettlePolicy/auto`` waits for that: so long before the deadline that there is time for the frame.
    var settleBy = MonotonicTime(nanoseconds: .max)
    /// Only a frame that came later than this one; nil for any.
    var after: FrameKey?
    /// Whether it has to be of the largest size that the camera has.
    var isLargest = false
    /// Whether the camera is opened for it, and stays open; without, it gets what comes for others.
    var opens = true
    /// When the request arrived.
    package var requestedAt: MonotonicTime
}

/// Frames that came and were not given, by reason, and what was wrong with those that turned out to be damaged.
package struct PassedFrames: Hashable, Sendable {
    /// How many, by reason.
    package var skipped: [SkipReason: Int] = [:]
    /// What was wrong with how many.
    package var faults: [PictureFault: Int] = [:]

    mutating func count(_ reason: SkipReason, _ count: Int = 1) { skipped[reason, default: 0] += count }

    mutating func uncount(_ reason: SkipReason) {
        guard let count = skipped[reason] else { return }
        skipped[reason] = count > 1 ? count - 1 : nil
    }
}
