// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
internal import TintypeImaging
package import TintypeModel
internal import TintypeSystem

extension StillOutput {
    /// Renders the ring's frame whose exposure began last before `offset` from `requestedAt`, or the one after `after`;
    /// throws if the camera has no ring, it does not reach back so far, or the stream was interrupted then.
    func takeFromRing(
        _ request: StillRequest,
        at offset: Duration,
        after: FrameKey?,
        requestedAt: MonotonicTime,
        in place: RequestLimiter.Place? = nil
    ) async throws(Problem) -> (still: Still, key: FrameKey) {
        let ring = try ring()
        let place = if let place { place } else { try session.dispatcher.limiter.enter() }
        defer { withExtendedLifetime(place) {} }
        let moment = requestedAt + offset
        let deadline = requestedAt + request.deadline
        let stallLimit = session.dispatcher.limits.silence
        // The following frame proves that none is missing in between; some time is left to render the picture.
        let limit = min(deadline - min(request.deadline / 2, .milliseconds(500)), moment + stallLimit)
        while true {
            let waits = clock.now < limit && isStreaming
            switch ring.read(before: moment, after: after, waits: waits) {
            case .picture(let picture, _):
                guard after != nil || moment - picture.stamp.exposureStart <= stallLimit else {
                    let age = SpokenDuration.text(requestedAt - picture.stamp.exposureStart)
                    let detail = "The camera \(session.name) gave no picture then: the last before it is \(age) old."
                    throw Problem(.frameNotFound, detail, remedy: "Ask for another moment.")
                }
                if request.opens { session.dispatcher.lastUse = clock.now }
                let still = try await render(picture, request, requestedAt, until: deadline)
                return (still, picture.stamp.key)
            case .wait(let reply):
                _ = try await wait(for: reply, request, until: deadline, atMost: waits ? limit : deadline)
            case .short(let reach): throw tooShort(reach, requestedAt - moment)
            case .end: throw tooShort(nil, requestedAt - moment)
            }
        }
    }

    /// True if a frame was added by `limit`; throws at the deadline, and if a driver call hangs for too long.
    func wait(
        for reply: Reply<Bool>,
        _ request: StillRequest,
        until deadline: MonotonicTime,
        atMost limit: MonotonicTime = .distantFuture,
        _ skipped: [SkipReason: Int] = [:]
    ) async throws(Problem) -> Bool {
        if let stuck = context.hopelessProblem { throw stuck }
        if clock.now >= deadline { throw late(request, PassedFrames(skipped: skipped)) }
        return try await reply.wait(until: min(deadline, limit, nextHang))?.get() ?? false
    }

    /// `field` is the one of the request that needs it.
    package func ring(for field: String = "fresh.atMs") throws(Problem) -> FrameRing {
        if let ring = session.ring { return ring }
        throw Problem(
            .configurationUnsupported,
            "The camera \(session.name) keeps no pictures of the past.",
            remedy: "Give the camera a ring in tintyped's configuration (ring: {seconds: 5}); --pattern has none.",
            field: field
        )
    }

    /// True if further frames can be expected without opening the camera.
    var isStreaming: Bool { ![.off, .failed].contains(session.published.snapshot.state.name) }

    /// Throws `corrupt-only` for a damaged picture, and the problem of impossible options.
    func render(
        _ picture: RingPicture,
        _ request: StillRequest,
        _ requestedAt: MonotonicTime,
        until deadline: MonotonicTime,
        _ skipped: [SkipReason: Int] = [:]
    ) async throws(Problem) -> Still {
        let reply = Reply<EncodingResult>(clock: clock)
        let (frame, options) = (Frame(picture, faults: session.knownFaults), context.encoder.options(for: request))
        context.encoder.threads.render(frame, as: options, for: RequestClient.current) { reply.resolve(.success($0)) }
        let late = Problem(
            .deadlineExceeded,
            "The picture of the camera \(session.name) could not be encoded in time.",
            remedy: "Allow more time (deadlineMs).",
            retryAfter: .seconds(1)
        )
        switch try await reply.value(until: deadline, otherwise: late) {
        case .success(let image):
            session.published.count { $0.encoded += 1 }
            let isSettled = session.dispatcher.state.withLock { $0.settling.isSettled(image.key) }
            let delivery = FrameDelivery(image: image, skipped: skipped, isSettled: isSettled)
            return await still(delivery, request, requestedAt)
        case .failure(.refused(let problem)): throw problem
        case .failure(let error):
            session.published.count { $0.corrupt += 1 }
            let detail = "The picture that the camera \(session.name) gave then is damaged: \(error)."
            let remedy = "Ask for another moment, or for what there is (integrity raw)."
            throw Problem(.corruptOnly, detail, remedy: remedy)
        }
    }

    func tooShort(_ reach: Duration?, _ wanted: Duration) -> Problem {
        let (ring, asked) = ("The ring of the camera \(session.name)", SpokenDuration.text(wanted))
        func notFound(_ detail: String, _ remedy: String, retryAfter: Duration? = nil) -> Problem {
            Problem(.frameNotFound, "\(ring) \(detail)", remedy: remedy, retryAfter: retryAfter)
        }
        guard let reach else {
            let remedy = "Have the camera stream before: start or hold it, or give it the warmth hot."
            let delay: Duration? = isStreaming ? .seconds(1) : nil
            return notFound("is empty, and a picture \(asked) back is asked for.", remedy, retryAfter: delay)
        }
        guard reach < wanted else {
            let detail = "has no picture of \(asked) before the request: the stream began, or was interrupted, since."
            return notFound(detail, "Ask for a later moment.", retryAfter: wanted)
        }
        let spoken = SpokenDuration.text(reach)
        // While the ring is filling, a larger setting would not help.
        if let ring = session.ring, !ring.isFull, wanted <= ring.configuration.reach {
            return notFound(
                "has just begun to fill: it reaches back \(spoken), and \(asked) are asked for.",
                "Ask again in \(SpokenDuration.text(wanted - reach)). A camera that is held, or has the warmth hot, "
                    + "keeps its ring full.",
                retryAfter: wanted - reach
            )
        }
        return notFound(
            "reaches back \(spoken), and \(asked) are asked for.",
            "Ask for a later moment, or raise cameras.\(session.name).ring.seconds or .megabytes in tintyped's "
                + "configuration."
        )
    }
}
