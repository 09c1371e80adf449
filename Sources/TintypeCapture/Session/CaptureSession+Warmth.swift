// SPDX-License-Identifier: Apache-2.0
internal import Logging
package import TintypeDevice
package import TintypeModel
internal import TintypeSystem

extension CaptureSession {
    /// Opens the device and keeps it open for the owner, for the requested time and through interruptions.
    ///
    /// Repeating the request extends the hold. Returns the hold once the stream runs. If the owner has no hold yet,
    /// throws the problem of opening the device; throws `too-many-requests` if there are too many holds. With `stops`,
    /// the stop count when the client began, throws `stopping` if the camera was stopped since or is still stopped.
    package nonisolated func hold(
        _ request: HoldRequest,
        ifStopped stops: Int? = nil
    ) async throws(Problem) -> CameraHold {
        try await ask("hold", longestCall: DriverCalls.longestWait) { await $0.hold(request, ifStopped: stops, $1) }
    }

    /// Ends the hold of one owner, or all holds; after the last one the device returns to its warmth.
    ///
    /// Returns the remaining holds, after closing the device if nothing keeps it open. Throws `not-found` if the owner
    /// has no hold.
    package nonisolated func release(_ request: ReleaseRequest) async throws(Problem) -> [CameraHold] {
        let what = ["release", request.owner].compactMap(\.self).joined(separator: " ")
        return try await ask(what, longestCall: Self.shortCall, isKept: true) { await $0.release(request, $1) }
    }

    /// True if the camera was stopped by command and not opened since; any thread.
    package nonisolated var isStopped: Bool { published.warmth.use.isStopped }

    private var stopped: Problem {
        Problem(.stopping, "The camera \(name) was stopped.", remedy: "Ask again.", retryAfter: .seconds(1))
    }

    // MARK: - In the session's turn

    func start(_ reply: Reply<CaptureFormat>) async {
        guard await catchUp(for: reply) else { return }
        let before = use
        use.isStarted = true
        if phase.stream == nil { await openDevice() }
        // A camera that was started before stays so during its outage.
        await answer(reply, phase.stream?.format, "start", orBackTo: before)
    }

    /// Answers with `value`; if that is nil or no client receives it, restores `before`.
    private func answer<Value: Sendable>(
        _ reply: Reply<Value>,
        _ value: Value?,
        _ what: String,
        orBackTo before: CameraUse
    ) async {
        if value == nil { use = before }
        publishWarmth()
        guard let value else {
            reply.resolve(.failure(recovery.lastReason ?? overdue(what)))
            return
        }
        guard !reply.resolve(.success(value)) else { return }
        // A client that was told of a failure must not find the camera started, held, or reopened after a stop.
        use = before
        publishWarmth()
        if use.isStopped, !isWanted { await close() }
    }

    func stop(_ reply: Reply<Bool>) async {
        let ended = use.stop()
        if !ended.isEmpty {
            logger.notice(
                "the camera was stopped, and all holds have ended",
                metadata: ["owners": "\(ended.map(\.owner))"]
            )
        }
        // Publish first: a client that sees the camera off must not see it started.
        publishWarmth()
        await close()
        published.update { $0.failure = nil }
        dispatcher.change { [stopped] in $0.stop(stopped) }
        dispatcher.lastUse = FrameDispatcher.never
        reply.resolve(.success(true))
    }

    func hold(_ request: HoldRequest, ifStopped stops: Int?, _ reply: Reply<CameraHold>) async {
        guard await catchUp(for: reply) else { return }
        // A start that failed meanwhile has left it stopped.
        if let stops, let problem = dispatcher.stops.problem(since: stops) ?? (use.isStopped ? stopped : nil) {
            reply.resolve(.failure(problem))
            return
        }
        let (before, end) = (use, clock.now + request.duration)
        guard let hold = use.holds.hold(request.owner, until: end) else {
            reply.resolve(.failure(tooManyHolds))
            return
        }
        // A hold survives interruptions, and may be extended during one.
        let isExtended = before.holds.contains(request.owner)
        if phase.stream == nil, !isExtended { await openDevice() }
        let isHeld = phase.stream != nil || isExtended
        await answer(reply, isHeld ? CameraHold(hold, by: clock) : nil, "hold", orBackTo: before)
    }

    func release(_ request: ReleaseRequest, _ reply: Reply<[CameraHold]>) async {
        let ended = use.holds.release(request.owner)
        if let owner = request.owner, ended.isEmpty {
            reply.resolve(.failure(noHold(of: owner)))
            return
        }
        if !ended.isEmpty { holdsHaveEnded() }
        await closeIfIdle()
        reply.resolve(.success(use.holds.holds.map { CameraHold($0, by: clock) }))
    }

    func expireHolds() {
        let ended = use.holds.expire(at: clock.now)
        guard !ended.isEmpty else { return }
        logger.info("holds have expired", metadata: ["owners": "\(ended.map(\.owner))"])
        holdsHaveEnded()
    }

    private func holdsHaveEnded() {
        // A hold counts as use: a lingering camera stays open from its end on.
        if use.holds.isEmpty { dispatcher.lastUse = clock.now }
        publishWarmth()
    }

    func publishWarmth() { published.updateWarmth { [use] in $0.use = use } }

    /// Records the first good frame of a stream and its latency.
    func recordFirstFrame(at moment: MonotonicTime, isFromOff: Bool) {
        phase.stream?.hasGivenFrame = true
        guard let stream = phase.stream else { return }
        let latency = moment - stream.began
        recovery.firstFrame.learn(latency)
        guard isFromOff else { return }
        published.updateWarmth { $0.fromOff.add(latency) }
    }

    /// Records the latency of a request made while the device was streaming; any thread.
    package nonisolated func recordLatency(of stamp: FrameStamp, for freshness: Freshness, requestedAt: MonotonicTime) {
        guard freshness == .request || freshness == .next, let opening = published.snapshot.opening,
            opening.began + opening.took <= requestedAt
        else { return }
        let latency = max(.zero, stamp.dequeued - requestedAt)
        published.updateWarmth { $0.fromRunning.add(latency) }
    }

    private var tooManyHolds: Problem {
        Problem(
            .tooManyRequests,
            "The camera \(name) is held by \(use.holds.holds.count) owners already, which is the most there can be.",
            remedy: "Release one of them: \(use.holds.holds.prefix(3).map(\.owner).joined(separator: ", ")), ….",
            retryAfter: use.holds.nextEnd.map { max(.zero, $0 - clock.now) }
        )
    }

    private func noHold(of owner: String) -> Problem {
        let owners = use.holds.holds.map(\.owner).joined(separator: ", ")
        return Problem(
            .notFound,
            "No owner “\(owner)” holds the camera \(name).",
            remedy: owners.isEmpty
                ? "It is not held, or not any more: a hold that has expired need not be released."
                : "It is held by \(owners)."
        )
    }
}
