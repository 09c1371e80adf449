// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

/// Stills of frames that follow on each other and begin in the past: all of them come through the ring, so that none is
/// missing and none there twice where the past ends.
struct RingStills: StillSource {
    private let output: StillOutput
    private let request: StillRequest
    private let ring: FrameRing
    /// Its place among waiting clients, held to its end.
    private let place: WaitingRoom.Place
    private let requestedAt: MonotonicTime
    private var reader: FrameRing.Reader
    /// How many are still to come; nil for all up to the end.
    private var left: Int?
    private var skipped: [SkipReason: Int] = [:]
    /// Until when the next frame has to be there.
    private var deadline: MonotonicTime

    /// Throws where the camera has no ring, and `frame-not-found` where it does not reach so far.
    init(_ session: CaptureSession, _ request: StillRequest, _ requestedAt: MonotonicTime) throws(Problem) {
        output = StillOutput(session: session)
        ring = try output.ring()
        place = try session.hub.room.enter()
        self.request = request
        self.requestedAt = requestedAt
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
        session.hub.beginBurst()
    }

    /// Stills of the frames from one moment to another, as far as the ring reaches back; nil where it is empty.
    ///
    /// Throws where the camera has no ring.
    init?(
        _ session: CaptureSession,
        _ request: StillRequest,
        from start: MonotonicTime,
        to end: MonotonicTime,
        nth: Int
    ) throws(Problem) {
        output = StillOutput(session: session)
        ring = try output.ring()
        place = try session.hub.room.enter()
        self.request = request
        requestedAt = output.clock.now
        guard let reader = ring.reader(fromFirstAfter: start, to: end, nth: nth, slept: output.clock.suspended()) else {
            return nil
        }
        self.reader = reader
        deadline = requestedAt + request.deadline
        session.hub.beginBurst()
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
                    let still = try await output.render(
                        picture,
                        request,
                        requestedAt,
                        until: deadline,
                        skipped: skipped
                    )
                    skipped = [:]
                    left = left.map { $0 - 1 }
                    return .still(still, until: deadline)
                } catch  where error.code == .corruptOnly {
                    skipped[.corrupt, default: 0] += 1
                } catch {
                    return .end(error)
                }
            case .wait(let reply):
                if let stuck = session.hopelessProblem { return .end(stuck) }
                guard output.clock.now < deadline else {
                    return .end(session.stuckProblem ?? output.overdue(request, PassedFrames(skipped: skipped)))
                }
                let answer = await reply.wait(until: min(deadline, output.nextHang))
                switch answer {
                case .failure(let problem): return .end(problem)
                // One that is not wanted (nth) shows that the camera goes on.
                case .success(true): deadline = output.clock.now + request.deadline
                case .success(false), nil: break
                }
            case .end(let lost):
                let count = lost + skipped.values.reduce(0, +)
                return .end(count == 0 ? nil : BurstOutput.incomplete(count))
            // Emptied, since the camera was closed: on purpose, or for its failure.
            case .short: return .end(session.hub.snapshot.state.reason ?? closed)
            }
        }
    }

    func close() {
        ring.close(reader)
        output.session.hub.endBurst(isGone: Task.isCancelled)
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
