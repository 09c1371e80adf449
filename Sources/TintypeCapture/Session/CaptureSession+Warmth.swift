// SPDX-License-Identifier: Apache-2.0
internal import Logging
package import TintypeDevice
package import TintypeModel
internal import TintypeSystem

/// Warmth by command: start and stop, and leases with an end.
extension CaptureSession {
    /// Opens the device and keeps it open for the owner of the request, for as long as asked, through every
    /// interruption; the same owner again extends that.
    ///
    /// Returns the lease once frames are on their way. Throws what keeps the device from being opened, where no client
    /// holds it yet under this name, and `too-many-requests`: there is no lease then. Where `stops` is how often the camera
    /// had been stopped when the client began, and it has been since, or still is, throws `stopping`.
    package nonisolated func hold(
        _ request: HoldRequest,
        ifStopped stops: Int? = nil
    ) async throws(Problem) -> CameraHold {
        try await ask("hold", longestCall: DriverCalls.longestWait) { await $0.hold(request, ifStopped: stops, $1) }
    }

    /// Ends the lease of one owner, or all; after the last one the device falls back to its warmth.
    ///
    /// Returns the leases that are left, once the device is closed if nothing keeps it open. Throws `not-found` where
    /// the owner has none.
    package nonisolated func release(_ request: ReleaseRequest) async throws(Problem) -> [CameraHold] {
        let what = ["release", request.owner].compactMap(\.self).joined(separator: " ")
        return try await ask(what, longestCall: Self.shortCall, isKept: true) { await $0.release(request, $1) }
    }

    /// Whether it was stopped by command, and no client has opened it since; any thread.
    package nonisolated var isStopped: Bool { hub.warmth.use.isStopped }

    private var stopped: Problem {
        Problem(.stopping, "The camera \(name) was stopped.", remedy: "Ask again.", retryAfter: .seconds(1))
    }

    // MARK: - In the session's turn

    func start(_ reply: Reply<CaptureFormat>) async {
        guard await catchUp(for: reply) else { return }
        let before = use
        use.isStarted = true
        if phase.stream == nil { await openDevice() }
        // Started before, it stays so through its trouble.
        await answer(reply, phase.stream?.granted.format, "start", orBackTo: before)
    }

    /// Answers with `value`; where there is none, or no client receives it, what keeps the camera open is as `before`.
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
        // A client that was told that it failed must not find the camera started or held, nor one open that was stopped.
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
        // First: a client that sees the camera off must not see it started.
        publishWarmth()
        await close()
        hub.failAll(stopped)
        hub.forgetUse()
        reply.resolve(.success(true))
    }

    func hold(_ request: HoldRequest, ifStopped stops: Int?, _ reply: Reply<CameraHold>) async {
        guard await catchUp(for: reply) else { return }
        // A start that failed since has left it stopped.
        if let stops, let problem = hub.stop(since: stops) ?? (use.isStopped ? stopped : nil) {
            reply.resolve(.failure(problem))
            return
        }
        let (before, end) = (use, clock.now + request.duration)
        guard let hold = use.holds.hold(request.owner, until: end) else {
            reply.resolve(.failure(tooManyHolds))
            return
        }
        // A lease goes on through interruptions, and so it may be extended in one.
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

    /// Ends the leases whose time has come.
    func expireHolds() {
        let ended = use.holds.expire(at: clock.now)
        guard !ended.isEmpty else { return }
        logger.info("holds have expired", metadata: ["owners": "\(ended.map(\.owner))"])
        holdsHaveEnded()
    }

    private func holdsHaveEnded() {
        // A lease is a use: a camera that lingers does so from its end on.
        if use.holds.isEmpty { hub.recordUse() }
        publishWarmth()
    }

    /// Publishes what keeps the camera open.
    func publishWarmth() { hub.updateWarmth { [use] in $0.use = use } }

    /// The first good frame of a stream has come.
    func recordFirstFrame(at moment: MonotonicTime, isFromOff: Bool) {
        phase.stream?.hasGivenFrame = true
        guard let stream = phase.stream else { return }
        let latency = moment - stream.began
        recovery.firstFrame.learn(latency)
        guard isFromOff else { return }
        hub.updateWarmth { $0.fromOff.add(latency) }
    }

    /// Records how long a request that came while the device streamed has waited for its frame; any thread.
    package nonisolated func recordLatency(of stamp: FrameStamp, for freshness: Freshness, requestedAt: MonotonicTime) {
        guard freshness == .request || freshness == .next, let opening = hub.snapshot.opening,
            opening.began + opening.took <= requestedAt
        else { return }
        let latency = max(.zero, stamp.dequeued - requestedAt)
        hub.updateWarmth { $0.fromRunning.add(latency) }
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
