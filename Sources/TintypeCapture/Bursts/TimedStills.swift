// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import TintypeSystem

struct TimedStills: StillSource {
    private let output: StillOutput
    private let request: StillRequest
    private let count: Int
    private let every: Duration
    private let start: MonotonicTime
    /// Place in the ``RequestLimiter``, also held between stills and while one is stored.
    private let place: RequestLimiter.Place
    /// Number of stop commands to the camera before the burst.
    private let stops: Int
    private var index = 0
    private var last: FrameKey?

    /// Throws `too-many-requests` if no place is free.
    init(
        _ session: CaptureSession,
        _ request: StillRequest,
        count: Int,
        every: Duration,
        from start: MonotonicTime
    ) throws(Problem) {
        output = StillOutput(session: session)
        place = try session.dispatcher.limiter.enter()
        (self.request, self.count, self.every, self.start) = (request, count, every, start)
        stops = session.dispatcher.stops.count
    }

    mutating func next() async -> BurstOutput.Step {
        guard index < count else { return .end(nil) }
        // With interval 0 a still is due as soon as the previous one is taken.
        let due = every == .zero && index > 0 ? output.clock.now : start + every * index
        index += 1
        do {
            try await output.clock.sleep(until: due, tolerance: nil)
        } catch {
            return .end(.requestAbandoned)
        }
        // Another still would reopen a camera that was stopped.
        if let stop = output.session.dispatcher.stops.problem(since: stops) { return .end(stop) }
        let end = due + request.deadline
        do throws(Problem) {
            let taken = try await output.take(request, after: last, requestedAt: due, in: place, ifStopped: stops)
            last = taken.key
            return .still(taken.still, until: end)
        } catch {
            if Task.isCancelled { return .end(error) }
            if let stop = output.session.dispatcher.stops.problem(since: stops) { return .end(stop) }
            return .missed(error)
        }
    }

    func close() { withExtendedLifetime(place) {} }
}
