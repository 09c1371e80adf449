// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
package import TintypeModel

/// Stills of every nth frame of a camera, across streams; it does not open the camera or keep it open.
package struct StillSubscription: Sendable {
    package enum Step: Sendable {
        case still(Still)
        /// Nil after ``FrameSubscription/end()``; with code `stopping` if the task is cancelled.
        case end(Problem?)
    }

    private let output: StillOutput
    private let request: StillRequest
    package let frames: FrameSubscription
    private let nth: Int

    /// Starts with the next frame; ``frames`` must be closed at the end.
    package init(_ session: CaptureSession, _ request: StillRequest, nth: Int) {
        output = StillOutput(session: session)
        (self.request, self.nth) = (request, nth)
        var criteria = output.criteria(of: request, at: session.clock.now, ifStopped: nil)
        // The settle policy applies to each stream anew.
        criteria.settleBy = .distantFuture
        (criteria.fresh, criteria.count, criteria.nth) = (.next, nil, nth)
        (criteria.opens, criteria.lifetime) = (false, .untilEnd)
        frames = session.frames(criteria, in: nil)
    }

    /// Waits for the next step until `moment`, nil on timeout; for use by one task, suspends, never blocks.
    package func next(until moment: MonotonicTime) async -> Step? {
        switch await frames.next(until: moment) {
        case .frame(let delivery):
            // No client waits for it, so the waiting time is zero.
            return .still(await output.still(delivery, request, delivery.image.stamp.dequeued))
        case .end: return .end(nil)
        case .failed(let problem): return .end(problem)
        case nil: return nil
        }
    }

    /// Problem of the frames skipped for `time`, if they are at least three, and damaged or rejected.
    package func problem(within time: Duration) -> Problem? {
        let passed = frames.passedOver
        guard passed.skipped.reduce(0, { $0 + missed($1.value, $1.key).count }) >= 3 else { return nil }
        var request = request
        request.deadline = time
        let problem = output.overdue(request, passed)
        return problem.code == .deadlineExceeded ? nil : problem
    }

    /// Frames lost by those skipped for `reason`, and the remainder: a frame is skipped as damaged, rejected or too
    /// many only after it was chosen as an nth frame; of the others, every nth would have been.
    package func missed(_ skipped: Int, _ reason: SkipReason) -> (count: Int, rest: Int) {
        if [.overrun, .corrupt, .black, .uniform, .frozen].contains(reason) { return (skipped, 0) }
        return (skipped / nth, skipped % nth)
    }
}
