// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

/// Stills of consecutive frames from the past on, all through the ring, so that none is lost or repeated at the
/// transition.
struct RingStills: StillSource {
    private let output: StillOutput
    private let request: StillRequest
    private let ring: FrameRing
    private let place: RequestLimiter.Place
    private let requestedAt: MonotonicTime
    private var reader: FrameRing.Reader
    /// Number of stills left; nil for all up to the end.
    private var left: Int?
    private var skipped: [SkipReason: Int] = [:]
    private var deadline: MonotonicTime

    /// Throws if the camera has no ring, `too-many-requests` if no place is free, and `frame-not-found` if the
    /// ring does not reach back far enough.
    init(_ session: CaptureSession, _ request: StillRequest, _ requestedAt: MonotonicTime) throws(Problem) {
        output = StillOutput(session: session)
        ring = try output.ring()
        place = try session.dispatcher.limiter.enter()
        (self.request, self.requestedAt) = (request, requestedAt)
        let (start, end, nth): (MonotonicTime, MonotonicTime?, Int)
        var isAt = false
        switch (request.burst, request.fresh) {
        case (.span(let from, let to, let every), _): (start, end, nth) = (requestedAt + from, requestedAt + to, every)
        case (.count(let count, _), .at(let offset)):
            (start, end, nth) = (requestedAt + offset, nil, 1)
            (left, isAt) = (count, true)
        default: (start, end, nth) = (requestedAt, nil, 1)
        }
        let slept = output.clock.suspended()
        guard let reader = ring.reader(from: start, includesBefore: isAt, to: end, nth: nth, slept: slept) else {
            throw output.tooShort(ring.reach(slept: slept), requestedAt - start)
        }
        self.reader = reader
        deadline = requestedAt + request.deadline
        session.dispatcher.beginWatch(isBurst: true)
    }

    /// Stills of the ring's frames from `start` to `end`, nil if there are none; throws without a ring or a free place.
    init?(
        _ session: CaptureSession,
        _ request: StillRequest,
        from start: MonotonicTime,
        to end: MonotonicTime,
        nth: Int
    ) throws(Problem) {
        output = StillOutput(session: session)
        ring = try output.ring()
        place = try session.dispatcher.limiter.enter()
        self.request = request
        requestedAt = output.clock.now
        guard let reader = ring.reader(fromFirstAfter: start, to: end, nth: nth, slept: output.clock.suspended()) else {
            return nil
        }
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
        withExtendedLifetime(place) {}
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
