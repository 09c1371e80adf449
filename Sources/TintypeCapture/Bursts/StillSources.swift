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

    init(_ session: CaptureSession, _ request: StillRequest, _ start: MonotonicTime, in place: RequestLimiter.Place) {
        output = StillOutput(session: session)
        (self.request, self.place) = (request, place)
        let begin = if case .span(let from, _, _) = request.burst { start + from } else { start }
        var criteria = output.criteria(of: request, at: begin, ifStopped: session.stopCount)
        criteria.allowsGaps = false
        switch request.burst {
        case .span(_, let to, let nth): (criteria.count, criteria.nth, criteria.end) = (nil, nth, start + to)
        case .count(let count, _): criteria.count = count
        case nil: break
        }
        self.criteria = criteria
        deadline = criteria.requestedAt + request.deadline
    }

    mutating func next() async throws(Problem) -> BurstOutput.Step {
        guard let frames = try? await opened() else { throw .requestAbandoned }
        while true {
            switch await output.next(of: frames, until: deadline) {
            case .frame(let delivery):
                deadline = max(output.clock.now, criteria.requestedAt) + request.deadline
                return .still(await output.still(delivery, request, criteria.requestedAt), until: deadline)
            case .end(let skipped): return try BurstOutput.end(lost: skipped[.overrun] ?? 0)
            case .failed(let problem): throw problem
            case nil:
                // A frame skipped for nth proves that the camera still delivers.
                deadline = max(deadline, frames.lastUnwanted + request.deadline)
                if output.clock.now >= deadline { throw output.late(request, frames.passedOver) }
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

    /// Stills of the frames exposed from `start` to `end`, or of `count` frames from the one exposed last before it;
    /// throws without a ring, and if it does not reach back to `start`, unless it `mayStartLater`.
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
        let before = count != nil
        let made = ring.reader(from: start, includesBefore: before, mayStartLater: mayStartLater, to: end, nth: nth)
        guard let made else { throw output.tooShort(ring.reach, requestedAt - start) }
        reader = made
        deadline = requestedAt + request.deadline
        session.dispatcher.beginWatch(isBurst: true)
    }

    mutating func next() async throws(Problem) -> BurstOutput.Step {
        guard left != 0 else { return .end }
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
                } catch {
                    guard error.code == .corruptOnly else { throw error }
                    skipped[.corrupt, default: 0] += 1
                }
            case .wait(let reply):
                let hasCome = try await output.wait(for: reply, request, until: deadline, skipped)
                // A frame skipped for nth proves that the camera still delivers.
                if hasCome { deadline = output.clock.now + request.deadline }
            case .end(let lost): return try BurstOutput.end(lost: lost + skipped.values.reduce(0, +))
            // The ring was cleared because the camera was stopped or failed.
            case .short: throw output.session.published.snapshot.state.reason ?? closed
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

/// Single stills, one each interval.
struct TimedStills: StillSource {
    let output: StillOutput
    let request: StillRequest
    let count: Int
    let every: Duration
    let start: MonotonicTime
    let place: RequestLimiter.Place
    let stops: Int
    var index = 0
    var last: FrameKey?

    mutating func next() async throws(Problem) -> BurstOutput.Step {
        guard index < count else { return .end }
        // With interval 0 a still is due as soon as the previous one is taken.
        let due = every == .zero && index > 0 ? output.clock.now : start + every * index
        index += 1
        do { try await output.clock.sleep(until: due, tolerance: nil) } catch { throw Problem.requestAbandoned }
        // Another still would reopen a camera that was stopped.
        if let stop = output.session.stop(since: stops) { throw stop }
        let end = due + request.deadline
        do throws(Problem) {
            let taken = try await output.take(request, after: last, requestedAt: due, in: place, ifStopped: stops)
            last = taken.key
            return .still(taken.still, until: end)
        } catch {
            if Task.isCancelled { throw error }
            if let stop = output.session.stop(since: stops) { throw stop }
            return .missed(error)
        }
    }

    func close() {}
}
