// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

/// Stills of consecutive frames: a number of them, or every nth frame of a future time span.
struct ConsecutiveStills: StillSource {
    private let output: StillOutput
    private let request: StillRequest
    private let place: RequestLimiter.Place
    private let criteria: FrameCriteria
    private var frames: FrameSubscription?
    private var deadline: MonotonicTime

    /// Time before the start of a span at which the camera is opened.
    private static let lead = Duration.seconds(10)

    /// Uses only frames that arrive after `start`.
    init(_ session: CaptureSession, _ request: StillRequest, _ start: MonotonicTime, in place: RequestLimiter.Place) {
        output = StillOutput(session: session)
        (self.request, self.place) = (request, place)
        var criteria = FrameCriteria(
            fresh: request.fresh,
            options: session.context.encoder.options(for: request),
            settle: request.settle,
            requestedAt: start,
            allowsGaps: false,
            stops: session.dispatcher.stops.count
        )
        switch request.burst {
        case .span(let from, let to, let nth):
            criteria.requestedAt = start + from
            (criteria.count, criteria.nth, criteria.end) = (nil, nth, start + to)
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
        let opened = output.session.frames(criteria, in: place)
        frames = opened
        return opened
    }

    func close() { frames?.close(isGone: Task.isCancelled) }
}

/// Stills of consecutive frames from the past on, all through the ring, so that none is lost or repeated.
struct RingStills: StillSource {
    private let output: StillOutput
    private let request: StillRequest
    private let ring: FrameRing
    private let requestedAt: MonotonicTime
    private var reader: FrameRing.Reader
    /// Number of stills left; nil for all up to the end.
    private var left: Int?
    private var skipped: [SkipReason: Int] = [:]
    private var deadline: MonotonicTime

    /// Throws without a ring, and `frame-not-found` if it does not reach back far enough.
    init(_ session: CaptureSession, _ request: StillRequest, _ requestedAt: MonotonicTime) throws(Problem) {
        switch (request.burst, request.fresh) {
        case (.span(let from, let to, let nth), _):
            try self.init(session, request, requestedAt, from: requestedAt + from, to: requestedAt + to, nth: nth)
        case (.count(let count, _), .at(let offset)):
            try self.init(session, request, requestedAt, from: requestedAt + offset, count: count)
        default: try self.init(session, request, requestedAt, from: requestedAt)
        }
    }

    /// Stills of the frames exposed from `start` to `end`, or of `count` frames from the one exposed last before it.
    ///
    /// Throws without a ring, and `frame-not-found` if it does not reach back to `start`, unless it `mayStartLater`.
    init(
        _ session: CaptureSession,
        _ request: StillRequest,
        _ requestedAt: MonotonicTime,
        from start: MonotonicTime,
        to end: MonotonicTime? = nil,
        nth: Int = 1,
        count: Int? = nil,
        mayStartLater: Bool = false
    ) throws(Problem) {
        output = StillOutput(session: session)
        ring = try output.ring()
        (self.request, self.requestedAt, left) = (request, requestedAt, count)
        let slept = output.clock.suspended()
        let reader = ring.reader(
            from: start,
            includesBefore: count != nil,
            mayStartLater: mayStartLater,
            to: end,
            nth: nth,
            slept: slept
        )
        guard let reader else { throw output.tooShort(ring.reach(slept: slept), requestedAt - start) }
        self.reader = reader
        deadline = requestedAt + request.deadline
        session.dispatcher.beginWatch(isBurst: true)
    }

    mutating func next() async -> BurstOutput.Step {
        guard left != 0 else { return .end(nil) }
        let session = output.session
        while true {
            switch ring.next(&reader) {
            case .picture(let picture, let lost):
                if lost > 0 { skipped[.overrun, default: 0] += lost }
                deadline = output.clock.now + request.deadline
                do throws(Problem) {
                    let still = try await output.render(picture, request, requestedAt, until: deadline, skipped)
                    skipped = [:]
                    left = left.map { $0 - 1 }
                    return .still(still, until: deadline)
                } catch  where error.code == .corruptOnly {
                    skipped[.corrupt, default: 0] += 1
                } catch {
                    return .end(error)
                }
            case .wait(let reply):
                if let stuck = session.context.hopelessProblem { return .end(stuck) }
                guard output.clock.now < deadline else {
                    let passed = PassedFrames(skipped: skipped)
                    return .end(session.context.stuckProblem() ?? output.overdue(request, passed))
                }
                switch await reply.wait(until: min(deadline, output.nextHang)) {
                case .failure(let problem): return .end(problem)
                // A frame skipped for nth proves that the camera still delivers.
                case .success(true): deadline = output.clock.now + request.deadline
                case .success(false), nil: break
                }
            case .end(let lost):
                let count = lost + skipped.values.reduce(0, +)
                return .end(count == 0 ? nil : BurstOutput.incomplete(count))
            // The ring was cleared because the camera was stopped or failed.
            case .short: return .end(session.published.snapshot.state.reason ?? closed)
            }
        }
    }

    func close() {
        ring.close(reader)
        output.session.dispatcher.endWatch(isBurst: true, isGone: Task.isCancelled)
    }

    private var closed: Problem {
        Problem(
            .stopping,
            "The camera \(output.session.name) was closed, and its ring emptied.",
            remedy: "Ask again while it runs.",
            retryAfter: .seconds(1)
        )
    }
}

struct TimedStills: StillSource {
    private let output: StillOutput
    private let request: StillRequest
    private let count: Int
    private let every: Duration
    private let start: MonotonicTime
    private let place: RequestLimiter.Place
    private let stops: Int
    private var index = 0
    private var last: FrameKey?

    init(
        _ session: CaptureSession,
        _ request: StillRequest,
        count: Int,
        every: Duration,
        from start: MonotonicTime,
        in place: RequestLimiter.Place
    ) {
        output = StillOutput(session: session)
        (self.request, self.count, self.every, self.start, self.place) = (request, count, every, start, place)
        stops = session.dispatcher.stops.count
    }

    mutating func next() async -> BurstOutput.Step {
        guard index < count else { return .end(nil) }
        // With interval 0 a still is due as soon as the previous one is taken.
        let due = every == .zero && index > 0 ? output.clock.now : start + every * index
        index += 1
        do { try await output.clock.sleep(until: due, tolerance: nil) } catch { return .end(.requestAbandoned) }
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

    func close() {}
}
