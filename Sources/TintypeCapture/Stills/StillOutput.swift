// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
package import TintypeModel
internal import TintypeSystem

/// Takes stills of one camera.
package struct StillOutput: Sendable {
    let session: CaptureSession
    var clock: any MonotonicClock { session.clock }

    /// The stills of `session`'s camera.
    package init(session: CaptureSession) { self.session = session }

    /// Waits for a frame that is as fresh as asked, and returns it encoded.
    ///
    /// Nothing is stored.
    ///
    /// Suspends, never blocks. Throws a problem at the deadline, when the device fails, and as soon as a driver call has
    /// run for 10 s (``DriverCalls/longestWait``).
    package func take(_ request: StillRequest) async throws(Problem) -> Still {
        try await take(request, after: nil, requestedAt: clock.now).still
    }

    /// The same for a request that arrived at `requestedAt`, of a frame that came later than `after`.
    ///
    /// A client that waits for one still after the other holds a `place` that is used for each; nil takes one. It says how
    /// often the camera had been stopped when it began (`stops`): a further still does not open one that was stopped since.
    func take(
        _ request: StillRequest,
        after: FrameKey?,
        requestedAt: MonotonicTime,
        in place: WaitingRoom.Place? = nil,
        ifStopped stops: Int? = nil
    ) async throws(Problem) -> (still: Still, key: FrameKey) {
        if case .at(let offset) = request.fresh {
            return try await takeFromRing(request, at: offset, after: after, requestedAt: requestedAt, in: place)
        }
        let wish = FrameWish(
            fresh: request.fresh,
            rendition: session.rendition(for: request),
            settle: request.settle,
            settleBy: settleLimit(of: request, requestedAt),
            after: after,
            isLargest: request.isLargest,
            opens: request.opens,
            requestedAt: requestedAt
        )
        if request.fresh != .request && request.fresh != .next, let ready = session.hub.ready(wish) {
            if let stuck = session.hopelessProblem { throw stuck }
            return (await still(ready, request, requestedAt, encode: .zero), ready.frame.key)
        }
        let deadline = requestedAt + request.deadline
        let delivery = try await deliver(wish, for: request, until: deadline, in: place, ifStopped: stops)
        let frame = delivery.frame
        session.recordLatency(of: frame.stamp, for: request.fresh, requestedAt: requestedAt)
        let gap = request.isLargest ? await gap(of: frame, until: deadline) : nil
        var still = await still(delivery, request, requestedAt)
        still.record.gapMs = gap
        return (still, frame.key)
    }

    /// Waits for a frame that is as wished, of which the client waits for `request`; nil for `place` takes one.
    ///
    /// Throws as ``take(_:)`` does.
    func deliver(
        _ wish: FrameWish,
        for request: StillRequest,
        until deadline: MonotonicTime,
        in place: WaitingRoom.Place?,
        ifStopped stops: Int?
    ) async throws(Problem) -> FrameDelivery {
        if let stuck = session.hopelessProblem { throw stuck }
        if !request.opens { try refuseIfOff() }
        let place = if let place { place } else { try session.hub.room.enter() }
        let feed = session.frames(.still, wish, in: place, ifStopped: stops)
        let step = await next(of: feed, until: deadline)
        let passed = feed.close(isGone: Task.isCancelled)
        switch step {
        case .frame(let delivery): return delivery
        case .failed(let problem): throw problem
        case .end, nil: throw overdue(request, passed)
        }
    }

    /// For how long the stream was interrupted for a frame; what it is by the deadline where it still is.
    private func gap(of frame: Frame, until deadline: MonotonicTime) async -> Milliseconds? {
        guard let gap = session.hub.gap(of: frame.key.stream) else { return nil }
        if case .success(let duration) = await gap.reply.wait(until: deadline) { return Milliseconds(duration) }
        return Milliseconds(max(.zero, clock.now - gap.began))
    }

    /// Waits until the deadline at most, and for a driver that hangs no longer than it may; nil at the
    /// deadline, unless a driver call hangs then.
    func next(of feed: FrameFeed, until deadline: MonotonicTime) async -> FrameFeed.Step? {
        while true {
            if let step = await feed.next(until: min(deadline, nextHang)) { return step }
            if let stuck = session.hopelessProblem { return .failed(stuck) }
            if clock.now >= deadline { return session.stuckProblem.map(FrameFeed.Step.failed) }
        }
    }

    /// When a driver call can have hung for so long that no client waits any longer for it.
    var nextHang: MonotonicTime { session.calls.nextHang(after: DriverCalls.longestWait) }

    /// The frame with its record; `encode` is given where nothing was encoded for the client.
    func still(
        _ delivery: FrameDelivery,
        _ request: StillRequest,
        _ requestedAt: MonotonicTime,
        encode: Duration? = nil
    ) async -> Still {
        session.hub.count { $0.stills += 1 }
        let (frame, now) = (delivery.frame, clock.now)
        let opening = delivery.opening.flatMap { $0.began >= requestedAt ? $0.took : nil } ?? .zero
        let waited = max(.zero, frame.stamp.dequeued - requestedAt)
        var record = StillRecord(
            id: request.keep ? frame.name.takeID() : frame.name.id,
            camera: session.name,
            bytes: frame.picture.jpeg.count,
            width: frame.picture.size.width,
            height: frame.picture.size.height,
            sequence: frame.stamp.sequence,
            capturedAt: frame.name.capturedAt,
            timestampSource: frame.stamp.source
        )
        record.capturedMonotonicNs = frame.stamp.exposureStart.nanoseconds
        record.uncertaintyMs = Milliseconds(frame.stamp.uncertainty)
        record.leadMs = frame.stamp.lead.map(Milliseconds.init)
        record.ageMs = Milliseconds(max(.zero, now - frame.stamp.exposureStart))
        record.waitedMs = Milliseconds(waited)
        record.skipped = delivery.skipped
        record.settled = delivery.isSettled
        record.verdict = frame.picture.verdict
        record.faults = frame.picture.faults.isEmpty ? nil : frame.picture.faults
        record.appearance = frame.appearance.isEmpty ? nil : frame.appearance
        record.tags = tags(of: request, at: frame.stamp.exposureStart)
        record.average = request.average > 1 ? request.average : nil
        record.focus = session.hub.facts(at: frame.stamp.exposureStart).reading?.focus
        record.deinterlaced = frame.picture.deinterlaced
        record.color = frame.picture.signal?.parts
        record.colorAssumed = frame.picture.signal.flatMap { $0.assumed.isEmpty ? nil : $0.assumed }
        record.phasesMs = Self.phases(
            open: opening,
            settle: delivery.settleDelay,
            waited: waited,
            encode: encode ?? frame.encodeTime
        )
        // A copy that is stored besides the first has an id of its own, which is in its EXIF data.
        let picture = await session.picture(of: frame, as: record.id, session.rendition(for: request))
        record.bytes = picture.count
        return Still(record: record, picture: picture)
    }
}

extension StillOutput {
    /// The tags of a still: those of the request, and `motion` if there was motion at its exposure; nil for none.
    private func tags(of request: StillRequest, at moment: MonotonicTime) -> [String]? {
        var tags = request.tags
        if session.motion?.covers(moment) == true, !tags.contains(MotionSettings.tag),
            tags.count < StillRequest.mostTags
        {
            tags.append(MotionSettings.tag)
        }
        return tags.isEmpty ? nil : tags
    }
}

/// What stills have to do with settling.
extension StillOutput {
    /// The share of its time that a still has for its frame at least, however long exposure takes to settle.
    private static let share = 2
    /// And the time that it has for that where the share is longer.
    private static let reserve = Duration.milliseconds(200)

    /// Until when a request waits for settled frames where that is not all that counts: so long before its deadline that
    /// two more frames can come and be encoded.
    func settleLimit(of request: StillRequest, _ requestedAt: MonotonicTime) -> MonotonicTime {
        let interval = session.hub.snapshot.format?.interval?.duration ?? .zero
        let reserve = min(request.deadline / Self.share, Self.reserve + interval * 2)
        return requestedAt + request.deadline - reserve
    }

    /// The parts of a still's time: of the wait from the request to the frame only what is in no other part.
    private static func phases(
        open: Duration,
        settle: Duration,
        waited: Duration,
        encode: Duration
    ) -> StillPhases {
        var phases = StillPhases()
        phases.open = Milliseconds(open)
        phases.settle = Milliseconds(settle)
        phases.wait = Milliseconds(max(.zero, waited - open - settle))
        phases.encode = Milliseconds(encode)
        return phases
    }
}

extension CaptureSession {
    /// What is made of a frame for `request`.
    nonisolated func rendition(for request: StillRequest) -> Rendition {
        Rendition(
            request.rendering,
            integrity: request.integrity,
            reject: request.reject,
            usualQuality: quality,
            average: request.average,
            style: hub.snapshot.overlay
        )
    }

    /// The most bytes that are copied on the caller's thread, in 0.2 ms or less; more goes to the encoding threads.
    private static let shortCopy = 1 << 20

    /// The frame's picture with EXIF data that names it `id`: that which all share, or one of its own.
    nonisolated func picture(of frame: Frame, as id: FrameID, _ rendition: Rendition) async -> [UInt8] {
        guard frame.picture.describedAs != id else { return frame.picture.jpeg }
        let facts = hub.facts(at: frame.stamp.exposureStart)
        guard frame.picture.jpeg.count > Self.shortCopy else { return frame.picture(named: id, rendition, facts) }
        return await encoding.perform { frame.picture(named: id, rendition, facts) }
    }
}
