// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

/// Commands to start, stop, hold and release a camera, in the session's turn.
extension SessionLoop {
    func start(_ reply: Reply<CaptureFormat>) async {
        guard await catchUp(for: reply) else { return }
        let before = use
        use.isStarted = true
        if phase.stream == nil { await openDevice() }
        // A camera that was started before stays so during its outage.
        await answer(reply, phase.stream?.format, "start", or: before)
    }

    /// Answers with `value`; if that is nil or no client receives it, restores `before`.
    private func answer<Value>(_ reply: Reply<Value>, _ value: Value?, _ what: String, or before: CameraUse) async {
        if value == nil { use = before }
        publishWarmth()
        guard let value else {
            reply.resolve(.failure(recovery.lastReason ?? context.unanswered(what)))
            return
        }
        guard !reply.resolve(.success(value)) else { return }
        // A client that was told of a failure must not find the camera started, held, or reopened after a stop.
        use = before
        publishWarmth()
        if use.isStopped, !rule.isWanted { await close() }
    }

    func stop(_ reply: Reply<Bool>) async {
        let ended = use.stop()
        if !ended.isEmpty {
            context.logger.notice(
                "the camera was stopped, and all holds have ended",
                metadata: ["owners": "\(ended.map(\.owner))"]
            )
        }
        // Publish first: a client that sees the camera off must not see it started.
        publishWarmth()
        await close()
        context.published.update { $0.failure = nil }
        let problem = stopped
        context.dispatcher.change { state in
            state.stop(problem)
            state.use.last = MonotonicTime.never
        }
        reply.resolve(.success(true))
    }

    /// With `stops`, refuses the hold if the camera was stopped since, or is still stopped.
    func hold(_ request: HoldRequest, ifStopped stops: Int?, _ reply: Reply<CameraHold>) async {
        guard await catchUp(for: reply) else { return }
        // A start that failed meanwhile has left it stopped.
        if let stops, let problem = context.dispatcher.stops.problem(since: stops) ?? (use.isStopped ? stopped : nil) {
            reply.resolve(.failure(problem))
            return
        }
        let (before, end) = (use, context.clock.now + request.duration)
        guard let hold = use.holds.hold(request.owner, until: end) else {
            reply.resolve(.failure(tooManyHolds))
            return
        }
        // A hold survives interruptions, and may be extended during one.
        let isExtended = before.holds.holds.contains { $0.owner == request.owner }
        if phase.stream == nil, !isExtended { await openDevice() }
        let isHeld = phase.stream != nil || isExtended
        await answer(reply, isHeld ? CameraHold(hold, by: context.clock) : nil, "hold", or: before)
    }

    func release(_ request: ReleaseRequest, _ reply: Reply<[CameraHold]>) async {
        let ended = use.holds.release(request.owner)
        if let owner = request.owner, ended.isEmpty {
            reply.resolve(.failure(noHold(of: owner)))
            return
        }
        if !ended.isEmpty { publishWarmth(holdsEnded: true) }
        await closeIfIdle()
        reply.resolve(.success(use.holds.holds.map { CameraHold($0, by: context.clock) }))
    }

    // MARK: - Problems

    private var stopped: Problem {
        Problem(.stopping, "The camera \(context.name) was stopped.", remedy: "Ask again.", retryAfter: .seconds(1))
    }

    private var tooManyHolds: Problem {
        let table = use.holds
        return Problem(
            .tooManyRequests,
            "The camera \(context.name) is held by \(table.holds.count) owners already, which is the most there can be.",
            remedy: "Release one of them: \(table.holds.prefix(3).map(\.owner).joined(separator: ", ")), ….",
            retryAfter: table.nextEnd.map { max(.zero, $0 - context.clock.now) }
        )
    }

    private func noHold(of owner: String) -> Problem {
        let owners = use.holds.holds.map(\.owner).joined(separator: ", ")
        return Problem(
            .notFound,
            "No owner “\(owner)” holds the camera \(context.name).",
            remedy: owners.isEmpty
                ? "It is not held, or not any more: a hold that has expired need not be released."
                : "It is held by \(owners)."
        )
    }
}
