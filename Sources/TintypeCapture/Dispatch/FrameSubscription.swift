// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeImaging
package import TintypeModel
internal import TintypeSystem

/// The frames of one client, for one task, which must call ``close(isGone:)`` at the end; suspends, never blocks.
package struct FrameSubscription: Sendable {
    package enum Step: Sendable {
        case frame(FrameDelivery)
        /// End of the subscription, and the frames skipped since the last delivery.
        case end(skipped: [SkipReason: Int])
        case failed(Problem)
    }

    /// Makes an image of a frame, and passes it to ``FrameDispatcher/finish(_:_:_:)``.
    typealias Encode = @Sendable (Frame, EncodingOptions) -> Void

    let dispatcher: FrameDispatcher
    let id: UInt64
    let waker: TaskWaker
    let encode: Encode

    /// Waits for the next step until `moment`; nil on timeout, a problem with code `stopping` if the task is cancelled.
    package func next(until moment: MonotonicTime) async -> Step? {
        while true {
            if let step = dispatcher.step(of: id) { return step }
            if Task.isCancelled { return .failed(.requestAbandoned) }
            guard dispatcher.clock.now < moment else { return nil }
            await waker.sleep(until: moment)
        }
    }

    package var lastUnwanted: MonotonicTime {
        dispatcher.state.withLock { $0.subscribers[id]?.lastUnwanted } ?? MonotonicTime.never
    }

    package var passedOver: PassedFrames {
        dispatcher.state.withLock { $0.subscribers[id]?.queue.passedOver } ?? PassedFrames()
    }

    /// Returns the frames skipped since the last call; deliveries have them, too.
    package func takeUncounted() -> [SkipReason: Int] {
        dispatcher.change { state in state.subscribers.change(id) { $0.queue.takeUncounted() } ?? [:] }
    }

    /// Requests no further frame; frames already taken are still delivered.
    package func end() { dispatcher.change { state in state.subscribers.change(id) { $0.end() } } }

    /// Ends the subscription and returns the frames skipped since the last delivery; `isGone`: the client has
    /// disconnected, so that a camera opened only for it is closed.
    @discardableResult
    package func close(isGone: Bool) -> PassedFrames { dispatcher.remove(id, isGone: isGone) }
}

extension CaptureSession {
    /// Subscribes as ``FrameDispatcher/subscribe(_:in:ifStopped:encode:)``; any thread.
    package func frames(
        _ criteria: FrameCriteria,
        in place: RequestLimiter.Place?,
        ifStopped stops: Int? = nil
    ) -> FrameSubscription {
        dispatcher.subscribe(criteria, in: place, ifStopped: stops) { [encoder = context.encoder] frame, options in
            encoder.encode(frame, as: options, mayCopyHere: true)
        }
    }
}

package struct FrameDelivery: Sendable {
    package let image: EncodedImage
    package var skipped: [SkipReason: Int] = [:]
    /// Delay of the first frame caused by settling alone; zero for later frames.
    package var settleDelay = Duration.zero
    /// True if exposure and white balance had settled at this frame; nil if that was not analysed.
    package var isSettled: Bool?
    /// The last opening of the camera when the frame was taken; nil for a frame delivered without waiting.
    package var opening: SessionSnapshot.Opening?
}
