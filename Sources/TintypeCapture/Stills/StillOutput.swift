// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeImaging
package import TintypeModel
internal import TintypeSystem

/// Takes single stills, and waits for the frames of subscriptions with their deadlines and with a hung driver in mind.
package struct StillOutput: Sendable {
    let session: CaptureSession
    var clock: any MonotonicClock { session.clock }
    var context: CameraContext { session.context }

    package init(session: CaptureSession) { self.session = session }

    /// Waits for a frame of the requested freshness and returns it encoded, not stored.
    ///
    /// Throws at the deadline, when the device fails, and once a driver call has run for ``DriverCalls/longestWait``.
    /// See ``FrameCriteria/stops``.
    package func take(_ request: StillRequest, ifStopped stops: Int? = nil) async throws(Problem) -> Still {
        try await take(request, after: nil, requestedAt: clock.now, ifStopped: stops).still
    }

    /// Takes a still for a request made at `requestedAt`, of a frame later than `after`; enters the limiter if `place` is
    /// nil.
    func take(
        _ request: StillRequest,
        after: FrameKey?,
        requestedAt: MonotonicTime,
        in place: RequestLimiter.Place? = nil,
        ifStopped stops: Int? = nil
    ) async throws(Problem) -> (still: Still, key: FrameKey) {
        if case .at(let offset) = request.fresh {
            return try await takeFromRing(request, at: offset, after: after, requestedAt: requestedAt, in: place)
        }
        var criteria = criteria(of: request, at: requestedAt, ifStopped: stops)
        criteria.after = after
        let deadline = requestedAt + request.deadline
        try refuseIfHopeless(criteria)
        if request.fresh != .request, request.fresh != .next, let ready = session.dispatcher.ready(criteria) {
            return (await still(ready, request, requestedAt), ready.image.key)
        }
        let place = if let place { place } else { try session.dispatcher.limiter.enter() }
        let subscription = session.frames(criteria, in: place)
        let delivery: FrameDelivery
        do {
            defer { subscription.close(isGone: Task.isCancelled) }
            delivery = try await frame(of: subscription, for: request, until: deadline)
        }
        let image = delivery.image
        session.published.recordLatency(of: image.stamp, for: request.fresh, requestedAt: requestedAt)
        let gap = request.isLargest ? await gap(of: image, until: deadline) : nil
        var still = await still(delivery, request, requestedAt)
        still.record.gapMs = gap
        return (still, image.key)
    }

    /// Criteria of a request made at `requestedAt`; `options` are by default those of a still, and for `stops` see
    /// ``FrameCriteria/stops``.
    func criteria(
        of request: StillRequest,
        as options: EncodingOptions? = nil,
        at requestedAt: MonotonicTime,
        ifStopped stops: Int?
    ) -> FrameCriteria {
        FrameCriteria(
            fresh: request.fresh,
            options: options ?? context.encoder.options(for: request),
            settle: request.settle,
            settleBy: settleLimit(of: request, requestedAt),
            isLargest: request.isLargest,
            opens: request.opens,
            requestedAt: requestedAt,
            stops: stops
        )
    }

    func frame(
        of subscription: FrameSubscription,
        for request: StillRequest,
        until deadline: MonotonicTime
    ) async throws(Problem) -> FrameDelivery {
        switch await next(of: subscription, until: deadline) {
        case .frame(let delivery): return delivery
        case .failed(let problem): throw problem
        case .end, nil: throw late(request, subscription.passedOver)
        }
    }

    /// Waits for the next step of a subscription until `deadline`, nil then; fails if a driver call hangs for too long.
    func next(of frames: FrameSubscription, until deadline: MonotonicTime) async -> FrameSubscription.Step? {
        while true {
            if let step = await frames.next(until: min(deadline, nextHang)) { return step }
            if let stuck = context.hopelessProblem { return .failed(stuck) }
            if clock.now >= deadline { return nil }
        }
    }

    /// Duration of the stream interruption for a frame, or its duration so far at the deadline.
    private func gap(of image: EncodedImage, until deadline: MonotonicTime) async -> Milliseconds? {
        guard let gap = context.gaps.gap(of: image.key.stream) else { return nil }
        if case .success(let duration) = await gap.reply.wait(until: deadline) { return Milliseconds(duration) }
        return Milliseconds(max(.zero, clock.now - gap.began))
    }

    /// Earliest time at which the current driver call has hung for too long for any client to wait.
    var nextHang: MonotonicTime { context.calls.nextHang(after: DriverCalls.longestWait) }

    func still(_ delivery: FrameDelivery, _ request: StillRequest, _ requestedAt: MonotonicTime) async -> Still {
        session.published.count { $0.stills += 1 }
        let (image, now) = (delivery.image, clock.now)
        let opening = delivery.opening.flatMap { $0.began >= requestedAt ? $0.took : nil } ?? .zero
        let waited = max(.zero, image.stamp.dequeued - requestedAt)
        var record = StillRecord(
            id: request.keep ? image.name.takeID() : image.name.id,
            camera: session.name,
            bytes: image.jpeg.count,
            width: image.size.width,
            height: image.size.height,
            sequence: image.stamp.sequence,
            capturedAt: image.name.capturedAt,
            timestampSource: image.stamp.source
        )
        record.capturedMonotonicNs = image.stamp.exposureStart.nanoseconds
        record.uncertaintyMs = Milliseconds(image.stamp.uncertainty)
        record.leadMs = image.stamp.lead.map(Milliseconds.init)
        record.ageMs = Milliseconds(max(.zero, now - image.stamp.exposureStart))
        record.waitedMs = Milliseconds(waited)
        record.skipped = delivery.skipped
        record.settled = delivery.isSettled
        record.verdict = image.verdict
        record.faults = image.faults.isEmpty ? nil : image.faults
        record.appearance = image.defects.isEmpty ? nil : image.defects
        record.tags = tags(of: request, at: image.stamp.exposureStart)
        record.average = request.average > 1 ? request.average : nil
        record.focus = session.published.facts(at: image.stamp.exposureStart).reading?.focus
        record.deinterlaced = image.deinterlaced
        record.recompressed = image.isRecompressed ? true : nil
        record.color = image.signal?.parts
        record.colorAssumed = image.signal.flatMap { $0.assumed.isEmpty ? nil : $0.assumed }
        var phases = StillPhases()
        phases.open = Milliseconds(opening)
        phases.settle = Milliseconds(delivery.settleDelay)
        phases.wait = Milliseconds(max(.zero, waited - opening - delivery.settleDelay))
        phases.encode = Milliseconds(image.encodeTime)
        record.phasesMs = phases
        // A further stored copy has an id of its own, also in its EXIF data.
        let jpeg = await context.encoder.jpeg(of: image, as: record.id, context.encoder.options(for: request))
        record.bytes = jpeg.count
        return Still(record: record, picture: jpeg)
    }

    private func tags(of request: StillRequest, at moment: MonotonicTime) -> [String]? {
        var tags = request.tags
        let isMoved = session.motion?.covers(moment) == true && !tags.contains(MotionSettings.tag)
        if isMoved, tags.count < StillRequest.mostTags { tags.append(MotionSettings.tag) }
        return tags.isEmpty ? nil : tags
    }

    /// Early enough before the deadline for two more frames to arrive and be encoded, at most half of it.
    func settleLimit(of request: StillRequest, _ requestedAt: MonotonicTime) -> MonotonicTime {
        let reserve = min(request.deadline / 2, session.published.interval * 2 + .milliseconds(200))
        return requestedAt + min(request.deadline - reserve, request.longestSettling ?? request.deadline)
    }

    /// Throws if no frame will come: a driver call hangs, or nobody opens the camera.
    func refuseIfHopeless(_ criteria: FrameCriteria) throws(Problem) {
        if let stuck = context.hopelessProblem { throw stuck }
        guard !criteria.opens else { return }
        let state = session.published.snapshot.state
        if state == .off {
            let detail = "The camera \(session.name) is off, and the request does not open it."
            let remedy = "Leave out open=false, or ask again while the camera runs."
            throw Problem(.cameraOff, detail, remedy: remedy)
        }
        if criteria.lifetime == .untilFailure, state.name == .failed, let reason = state.reason { throw reason }
    }

    func late(_ request: StillRequest, _ passed: PassedFrames) -> Problem {
        context.stuckProblem() ?? overdue(request, passed)
    }

    func overdue(_ request: StillRequest, _ passed: PassedFrames) -> Problem {
        let skipped = passed.skipped
        let seen = skipped.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) \($0.key.rawValue)" }
        var passedOver = seen.isEmpty ? "no frame came" : "passed over: \(seen.joined(separator: ", "))"
        if request.average > 1 {
            // The frames of an unfinished average are not passed over.
            let few = "fewer than \(request.average) frames to average came"
            passedOver = seen.isEmpty ? few : "\(few); \(passedOver)"
        }
        // A frame that began before the request, or has no timestamp, is no sign that intact ones come in time.
        let damaged = [SkipReason.flagged, .short, .corrupt].reduce(0) { $0 + (skipped[$1] ?? 0) }
        let other = skipped.values.reduce(0, +) - damaged - (skipped[.undated] ?? 0)
        if damaged > other { return corruptOnly(request, passed.faults, passedOver) }
        if let rejected = rejected(request, skipped, passedOver) { return rejected }
        if let unsettled = unsettled(request, skipped, passedOver) { return unsettled }
        let snapshot = session.published.snapshot
        // During a retry only the previous attempt has a reason.
        let failed = snapshot.failure.flatMap { session.clock.now - $0.at < request.deadline ? $0.reason : nil }
        let reason = snapshot.state.reason ?? failed
        // A camera that delivers frames is late; one that has failed since delivers none.
        let fault = reason.flatMap { $0.code == .cameraFault && (seen.isEmpty || failed != nil) ? $0 : nil }
        return Problem(
            fault?.code ?? .deadlineExceeded,
            "The camera \(session.name) gave no picture as fresh as asked within "
                + "\(SpokenDuration.text(request.deadline)) (\(passedOver)).\(reason.map { " " + $0.detail } ?? "")",
            remedy: fault?.remedy
                ?? "Allow more time (deadlineMs) or an older picture (fresh), and see “tintype status”.",
            retryAfter: .seconds(1)
        )
    }

    private func corruptOnly(_ request: StillRequest, _ faults: [PictureFault: Int], _ passedOver: String) -> Problem {
        let sorted = faults.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
        let seen = sorted.map { "\($0.value) \($0.key.rawValue)" }
        let wrong = seen.isEmpty ? "" : "; looked at: \(seen.joined(separator: ", "))"
        let quirks = (session.knownFaults.tolerance ?? []).map(\.quirk).filter { !$0.isRepairable }
        let names = quirks.map(\.rawValue).joined(separator: ", ")
        let remedy =
            if !quirks.isEmpty, request.integrity == .strict {
                "Pictures of this camera always have it (\(names)): ask for integrity “tolerant”."
            } else if sorted.first?.key == .overwritten {
                "Load v4l2loopback with more buffers (max_buffers=8), or feed it more slowly."
            } else {
                "See the daemon's log for what is wrong with them, and check the camera's cable and USB hub."
            }
        return Problem(
            .corruptOnly,
            "The camera \(session.name) gave only damaged pictures within \(SpokenDuration.text(request.deadline)) "
                + "(\(passedOver)\(wrong)).",
            remedy: remedy,
            retryAfter: .seconds(1)
        )
    }

    func rejected(_ request: StillRequest, _ skipped: [SkipReason: Int], _ passedOver: String) -> Problem? {
        let causes = ImageDefect.allCases.compactMap { look -> (cause: SignalFault, count: Int)? in
            guard let reason = SkipReason(rawValue: look.rawValue), let count = skipped[reason] else { return nil }
            return SignalFault(rawValue: look.rawValue).map { ($0, count) }
        }
        guard let cause = causes.max(by: { $0.count < $1.count })?.cause else { return nil }
        return Problem(
            .noSignal,
            "The camera \(session.name) gave only pictures that are \(cause.rawValue) within "
                + "\(SpokenDuration.text(request.deadline)) (\(passedOver)).",
            remedy: "Check the camera's lens, its light and its source, or leave reject out.",
            retryAfter: .seconds(1),
            cause: cause
        )
    }

    /// Problem at the deadline of a client with settle policy `always`; nil if no frame was skipped for settling.
    func unsettled(_ request: StillRequest, _ skipped: [SkipReason: Int], _ passedOver: String) -> Problem? {
        guard request.settle == .always, skipped[.unsettled] != nil else { return nil }
        let usual = session.status.latency.settling.map {
            " After its last \($0.count) starts that took \(HumanDuration.text($0.medianMs.duration)) as a rule, "
                + "\(HumanDuration.text($0.worstMs.duration)) at worst."
        }
        return Problem(
            .deadlineExceeded,
            "Exposure and white balance of the camera \(session.name) have not settled within "
                + "\(SpokenDuration.text(request.deadline)) (\(passedOver)).\(usual ?? "")",
            remedy: "Allow more time (deadlineMs) or pictures that are not settled (settle auto or never).",
            retryAfter: .seconds(1)
        )
    }
}
