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

    /// Waits for a frame of the requested freshness and returns it encoded, without storing it.
    ///
    /// Suspends, never blocks. Throws a problem at the deadline, when the device fails, and as soon as a driver call
    /// has run for 10 s (``DriverCalls/longestWait``).
    package func take(_ request: StillRequest) async throws(Problem) -> Still {
        try await take(request, after: nil, requestedAt: clock.now).still
    }

    /// Like ``take(_:)``, for a request that arrived at `requestedAt` and a frame later than `after`.
    ///
    /// A client that takes several stills holds a `place` for all of them; nil takes one. `stops` is the
    /// stop count of the camera when that client began: a camera stopped since is not reopened.
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
        let criteria = FrameCriteria(
            fresh: request.fresh,
            options: context.encoder.options(for: request),
            settle: request.settle,
            settleBy: settleLimit(of: request, requestedAt),
            after: after,
            isLargest: request.isLargest,
            opens: request.opens,
            requestedAt: requestedAt
        )
        if request.fresh != .request && request.fresh != .next, let ready = session.dispatcher.ready(criteria) {
            if let stuck = context.hopelessProblem { throw stuck }
            return (await still(ready, request, requestedAt, encode: .zero), ready.image.key)
        }
        let deadline = requestedAt + request.deadline
        let delivery = try await deliver(criteria, for: request, until: deadline, in: place, ifStopped: stops)
        let image = delivery.image
        session.published.recordLatency(of: image.stamp, for: request.fresh, requestedAt: requestedAt)
        let gap = request.isLargest ? await gap(of: image, until: deadline) : nil
        var still = await still(delivery, request, requestedAt)
        still.record.gapMs = gap
        return (still, image.key)
    }

    /// Waits for a frame that matches `criteria`; a nil `place` takes one; throws like ``take(_:)``.
    func deliver(
        _ criteria: FrameCriteria,
        for request: StillRequest,
        until deadline: MonotonicTime,
        in place: RequestLimiter.Place?,
        ifStopped stops: Int?
    ) async throws(Problem) -> FrameDelivery {
        try refuseIfHopeless(criteria)
        let place = if let place { place } else { try session.dispatcher.limiter.enter() }
        let subscription = session.frames(criteria, in: place, ifStopped: stops)
        defer { subscription.close(isGone: Task.isCancelled) }
        return try await frame(of: subscription, for: request, until: deadline)
    }

    /// Waits for the next frame; throws like ``take(_:)``.
    func frame(
        of subscription: FrameSubscription,
        for request: StillRequest,
        until deadline: MonotonicTime
    ) async throws(Problem) -> FrameDelivery {
        while true {
            switch await subscription.next(until: min(deadline, nextHang)) {
            case .frame(let delivery): return delivery
            case .failed(let problem): throw problem
            case .end: throw overdue(request, subscription.passedOver)
            case nil:
                if let stuck = context.hopelessProblem { throw stuck }
                guard clock.now >= deadline else { continue }
                throw context.stuckProblem() ?? overdue(request, subscription.passedOver)
            }
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

    /// The frame with its record; `encode` replaces the frame's encode time if nothing was encoded for the client.
    func still(
        _ delivery: FrameDelivery,
        _ request: StillRequest,
        _ requestedAt: MonotonicTime,
        encode: Duration? = nil
    ) async -> Still {
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
        record.color = image.signal?.parts
        record.colorAssumed = image.signal.flatMap { $0.assumed.isEmpty ? nil : $0.assumed }
        var phases = StillPhases()
        phases.open = Milliseconds(opening)
        phases.settle = Milliseconds(delivery.settleDelay)
        phases.wait = Milliseconds(max(.zero, waited - opening - delivery.settleDelay))
        phases.encode = Milliseconds(encode ?? image.encodeTime)
        record.phasesMs = phases
        // A further stored copy has an id of its own, also in its EXIF data.
        let jpeg = await context.encoder.jpeg(of: image, as: record.id, context.encoder.options(for: request))
        record.bytes = jpeg.count
        return Still(record: record, picture: jpeg)
    }

    /// Tags of a still: those of the request, and `motion` if there was motion during its exposure; nil if none.
    private func tags(of request: StillRequest, at moment: MonotonicTime) -> [String]? {
        var tags = request.tags
        let isMoved = session.motion?.covers(moment) == true && !tags.contains(MotionSettings.tag)
        if isMoved, tags.count < StillRequest.mostTags { tags.append(MotionSettings.tag) }
        return tags.isEmpty ? nil : tags
    }

    /// Time until which a request with `auto` policy waits for settled frames: early enough before its deadline for two
    /// more frames to arrive and be encoded, for which at most half of it is reserved.
    func settleLimit(of request: StillRequest, _ requestedAt: MonotonicTime) -> MonotonicTime {
        let reserve = min(request.deadline / 2, session.published.interval * 2 + .milliseconds(200))
        return requestedAt + min(request.deadline - reserve, request.longestSettling ?? request.deadline)
    }
}
