// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Stills of frames that follow on each other: a number of them, or all of a time to come, or every n-th.
struct ConsecutiveStills: StillSource {
    private let output: StillOutput
    private let request: StillRequest
    private let plan: Demand.Plan
    /// Its place among waiting clients, from before the camera is opened for it to its end.
    private let place: WaitingRoom.Place
    private let wish: FrameWish
    /// How often the camera had been stopped when the burst was asked for: one that was stopped since is not opened.
    private let stops: Int
    /// Nil until the camera is to be opened for it.
    private var feed: FrameFeed?
    /// Until when the next frame has to be there.
    private var deadline: MonotonicTime

    /// A camera is opened so long before the begin of a span.
    private static let lead = Duration.seconds(10)

    /// Frames from before `requestedAt` are none of them: those are in the ring only.
    ///
    /// Throws `too-many-requests` where as many wait already as may.
    init(_ session: CaptureSession, _ request: StillRequest, _ requestedAt: MonotonicTime) throws(Problem) {
        output = StillOutput(session: session)
        place = try session.hub.room.enter()
        self.request = request
        stops = session.hub.stops
        var start = requestedAt
        switch request.burst {
        case .span(let from, let to, let nth):
            start = requestedAt + from
            plan = Demand.Plan(nth: nth, end: requestedAt + to)
        case .count(let count, _): plan = Demand.Plan(count: count)
        case nil: plan = Demand.Plan(count: 1)
        }
        wish = FrameWish(
            fresh: request.fresh,
            rendition: session.rendition(for: request),
            settle: request.settle,
            settleBy: output.settleLimit(of: request, start),
            requestedAt: start
        )
        deadline = start + request.deadline
    }

    mutating func next() async -> BurstOutput.Step {
        let session = output.session
        guard let feed = try? await opened() else { return .end(BurstOutput.givenUp) }
        while true {
            if let stuck = session.hopelessProblem { return .end(stuck) }
            // No longer than until a driver call may hang, which is told before the deadline.
            switch await feed.next(until: min(deadline, output.nextHang)) {
            case .frame(let delivery):
                deadline = max(output.clock.now, wish.requestedAt) + request.deadline
                return .still(await output.still(delivery, request, wish.requestedAt), until: deadline)
            case .end(let skipped):
                let lost = skipped[.overrun] ?? 0
                return .end(lost == 0 ? nil : BurstOutput.incomplete(lost))
            case .failed(let problem): return .end(problem)
            case nil:
                // One that is not wanted (nth) shows that the camera goes on.
                deadline = max(deadline, feed.lastUnwanted + request.deadline)
                guard output.clock.now >= deadline else { continue }
                return .end(session.stuckProblem ?? output.overdue(request, feed.passedOver))
            }
        }
    }

    /// The frames, from shortly before the first one is due; throws where the task is cancelled before.
    private mutating func opened() async throws -> FrameFeed {
        if let feed { return feed }
        try await output.clock.sleep(until: wish.requestedAt - Self.lead, tolerance: nil)
        let opened = output.session.frames(plan, wish, in: place, ifStopped: stops)
        feed = opened
        return opened
    }

    func close() {
        defer { withExtendedLifetime(place) {} }
        feed?.close(isGone: Task.isCancelled)
    }
}
