// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import TintypeSystem

/// Stills of consecutive frames: a number of them, or every nth frame of a future time span.
struct ConsecutiveStills: StillSource {
    private let output: StillOutput
    private let request: StillRequest
    /// Place in the ``RequestLimiter``, held from before the camera is opened until the end.
    private let place: RequestLimiter.Place
    private let criteria: FrameCriteria
    /// Stop count of the camera at the request: a camera stopped since is not reopened.
    private let stops: Int
    private var frames: FrameSubscription?
    private var deadline: MonotonicTime

    /// Time before the start of a span at which the camera is opened.
    private static let lead = Duration.seconds(10)

    /// Uses only frames that arrive after `requestedAt`; throws `too-many-requests` if no place is free.
    init(_ session: CaptureSession, _ request: StillRequest, _ requestedAt: MonotonicTime) throws(Problem) {
        output = StillOutput(session: session)
        place = try session.dispatcher.limiter.enter()
        self.request = request
        stops = session.dispatcher.stops.count
        var criteria = FrameCriteria(
            fresh: request.fresh,
            options: session.context.encoder.options(for: request),
            settle: request.settle,
            requestedAt: requestedAt,
            allowsGaps: false
        )
        switch request.burst {
        case .span(let from, let to, let nth):
            criteria.requestedAt = requestedAt + from
            (criteria.count, criteria.nth, criteria.end) = (nil, nth, requestedAt + to)
        case .count(let count, _): criteria.count = count
        case nil: break
        }
        criteria.settleBy = output.settleLimit(of: request, criteria.requestedAt)
        self.criteria = criteria
        deadline = criteria.requestedAt + request.deadline
    }

    mutating func next() async -> BurstOutput.Step {
        let session = output.session
        guard let frames = try? await opened() else { return .end(.requestAbandoned) }
        while true {
            if let stuck = session.context.hopelessProblem { return .end(stuck) }
            // Wake up when a driver call may count as hung, which is reported before the deadline.
            switch await frames.next(until: min(deadline, output.nextHang)) {
            case .frame(let delivery):
                deadline = max(output.clock.now, criteria.requestedAt) + request.deadline
                return .still(await output.still(delivery, request, criteria.requestedAt), until: deadline)
            case .end(let skipped):
                let lost = skipped[.overrun] ?? 0
                return .end(lost == 0 ? nil : BurstOutput.incomplete(lost))
            case .failed(let problem): return .end(problem)
            case nil:
                // A frame skipped for nth proves that the camera still delivers.
                deadline = max(deadline, frames.lastUnwanted + request.deadline)
                guard output.clock.now >= deadline else { continue }
                return .end(session.context.stuckProblem() ?? output.overdue(request, frames.passedOver))
            }
        }
    }

    /// The subscription, made ``lead`` before the first frame is due; throws if the task is cancelled before.
    private mutating func opened() async throws -> FrameSubscription {
        if let frames { return frames }
        try await output.clock.sleep(until: criteria.requestedAt - Self.lead, tolerance: nil)
        let opened = output.session.frames(criteria, in: place, ifStopped: stops)
        frames = opened
        return opened
    }

    func close() {
        defer { withExtendedLifetime(place) {} }
        frames?.close(isGone: Task.isCancelled)
    }
}
