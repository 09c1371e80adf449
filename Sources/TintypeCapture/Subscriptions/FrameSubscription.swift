// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
package import TintypeModel

/// Every n-th frame that a camera gives as long as a client takes them, stream after stream.
///
/// It opens no camera and keeps none open: that takes a warmth, a hold or others who ask. At most ``Demand/room``
/// frames wait to be taken; what comes beyond is passed over and counted, so that a slow taker loses its own frames and
/// slows no other.
package struct FrameSubscription: Sendable {
    /// What comes next.
    package enum Step: Sendable {
        /// A still, and what was passed over between the one before and this one.
        case still(Still, passed: [SkipReason: Int])
        /// There will be none any more, and why; nil after ``FrameSubscription/end()``.
        ///
        /// A task that is cancelled while it waits is told so, by a problem with code `stopping`.
        case end(Problem?)
    }

    private let output: StillOutput
    private let request: StillRequest
    private let feed: FrameFeed

    /// Begins with the next frame of `session`'s camera, with what `request` says of settling, integrity and rendering.
    ///
    /// To be closed by ``close()``. Never blocks.
    package init(_ session: CaptureSession, _ request: StillRequest, nth: Int) {
        output = StillOutput(session: session)
        self.request = request
        feed = session.frames(
            Demand.Plan(nth: nth, allowsGaps: true, isSubscription: true),
            // Settling is waited for again in each stream.
            FrameWish(
                fresh: .next,
                rendition: session.rendition(for: request),
                settle: request.settle,
                requestedAt: session.clock.now
            ),
            in: nil
        )
    }

    /// Waits for what comes next; nil if nothing has by `moment`.
    ///
    /// To be called by one task; suspends, never blocks.
    package func next(until moment: MonotonicTime) async -> Step? {
        switch await feed.next(until: moment) {
        case .frame(let delivery):
            // No client has waited for it.
            let still = await output.still(delivery, request, delivery.frame.stamp.dequeued)
            return .still(still, passed: delivery.skipped)
        case .end: return .end(nil)
        case .failed(let problem): return .end(problem)
        case nil: return nil
        }
    }

    /// Takes no further frame; those that have come are still handed out.
    package func end() { feed.end() }

    /// Ends it, with frames left or not.
    package func close() { feed.close(isGone: true) }
}

extension CaptureSession {
    /// How often the camera was stopped by command; any thread.
    package nonisolated var stopCount: Int { hub.stops }
}
