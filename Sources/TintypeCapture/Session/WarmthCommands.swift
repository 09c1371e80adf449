// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

/// Commands to start, stop, hold and release a camera, in the session's turn.
enum WarmthCommands {
    static func start(_ session: isolated SessionLoop, _ reply: Reply<CaptureFormat>) async {
        guard await session.catchUp(for: reply) else { return }
        let before = session.use
        session.use.isStarted = true
        if session.phase.stream == nil { await session.openDevice() }
        // A camera that was started before stays so during its outage.
        await answer(session, reply, session.phase.stream?.format, "start", orBackTo: before)
    }

    /// Answers with `value`; if that is nil or no client receives it, restores `before`.
    private static func answer<Value: Sendable>(
        _ session: isolated SessionLoop,
        _ reply: Reply<Value>,
        _ value: Value?,
        _ what: String,
        orBackTo before: CameraUse
    ) async {
        if value == nil { session.use = before }
        session.publishWarmth()
        guard let value else {
            reply.resolve(.failure(session.recovery.lastReason ?? session.context.unanswered(what)))
            return
        }
        guard !reply.resolve(.success(value)) else { return }
        // A client that was told of a failure must not find the camera started, held, or reopened after a stop.
        session.use = before
        session.publishWarmth()
        if session.use.isStopped, !session.rule.isWanted { await session.close() }
    }

    static func stop(_ session: isolated SessionLoop, _ reply: Reply<Bool>) async {
        let context = session.context
        let ended = session.use.stop()
        if !ended.isEmpty {
            context.logger.notice(
                "the camera was stopped, and all holds have ended",
                metadata: ["owners": "\(ended.map(\.owner))"]
            )
        }
        // Publish first: a client that sees the camera off must not see it started.
        session.publishWarmth()
        await session.close()
        context.published.update { $0.failure = nil }
        context.dispatcher.change { state in
            state.stop(stopped(context.name))
            state.use.last = MonotonicTime.never
        }
        reply.resolve(.success(true))
    }

    static func hold(
        _ session: isolated SessionLoop,
        _ request: HoldRequest,
        ifStopped stops: Int?,
        _ reply: Reply<CameraHold>
    ) async {
        guard await session.catchUp(for: reply) else { return }
        let context = session.context
        // A start that failed meanwhile has left it stopped.
        if let stops {
            let stopped = session.use.isStopped ? stopped(context.name) : nil
            if let problem = context.dispatcher.stops.problem(since: stops) ?? stopped {
                reply.resolve(.failure(problem))
                return
            }
        }
        let (before, end) = (session.use, context.clock.now + request.duration)
        guard let hold = session.use.holds.hold(request.owner, until: end) else {
            reply.resolve(.failure(tooManyHolds(before.holds, of: context)))
            return
        }
        // A hold survives interruptions, and may be extended during one.
        let isExtended = before.holds.contains(request.owner)
        if session.phase.stream == nil, !isExtended { await session.openDevice() }
        let isHeld = session.phase.stream != nil || isExtended
        let answered = isHeld ? CameraHold(hold, by: context.clock) : nil
        await answer(session, reply, answered, "hold", orBackTo: before)
    }

    static func release(
        _ session: isolated SessionLoop,
        _ request: ReleaseRequest,
        _ reply: Reply<[CameraHold]>
    ) async {
        let context = session.context
        let ended = session.use.holds.release(request.owner)
        if let owner = request.owner, ended.isEmpty {
            reply.resolve(.failure(noHold(of: owner, session.use.holds, of: context.name)))
            return
        }
        if !ended.isEmpty { session.publishWarmth(holdsEnded: true) }
        await session.closeIfIdle()
        reply.resolve(.success(session.use.holds.holds.map { CameraHold($0, by: context.clock) }))
    }

    // MARK: - Problems

    private static func stopped(_ camera: String) -> Problem {
        Problem(.stopping, "The camera \(camera) was stopped.", remedy: "Ask again.", retryAfter: .seconds(1))
    }

    private static func tooManyHolds(_ table: HoldTable, of camera: CameraContext) -> Problem {
        Problem(
            .tooManyRequests,
            "The camera \(camera.name) is held by \(table.holds.count) owners already, which is the most there can be.",
            remedy: "Release one of them: \(table.holds.prefix(3).map(\.owner).joined(separator: ", ")), ….",
            retryAfter: table.nextEnd.map { max(.zero, $0 - camera.clock.now) }
        )
    }

    private static func noHold(of owner: String, _ table: HoldTable, of camera: String) -> Problem {
        let owners = table.holds.map(\.owner).joined(separator: ", ")
        return Problem(
            .notFound,
            "No owner “\(owner)” holds the camera \(camera).",
            remedy: owners.isEmpty
                ? "It is not held, or not any more: a hold that has expired need not be released."
                : "It is held by \(owners)."
        )
    }
}
