// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
package import TintypeModel
internal import TintypeSystem

/// What anybody may ask of a session, on any thread. Nothing here awaits the session itself: an answer that does not
/// come is a problem: `driver-stuck` while a driver call hangs, `stopping` once the session ends, `deadline-exceeded`
/// after ``limit``.
extension CaptureSession {
    /// Opens the device and keeps it open until ``stop()``.
    ///
    /// Returns the granted format once frames are on their way.
    package nonisolated func start() async throws(Problem) -> CaptureFormat {
        try await ask("start", longestCall: DriverCalls.longestWait) { await $0.start($1) }
    }

    /// Ends the stream and closes the device, hot and held ones too, until a client asks again.
    ///
    /// Answered within a second, also while a driver call hangs: with `driver-stuck` then, and the device is closed when
    /// the call returns.
    package nonisolated func stop() async throws(Problem) {
        _ = try await ask("stop", longestCall: Self.shortCall, isKept: true) { await $0.stop($1) }
    }

    /// Changes the configuration, whole or not at all: where the device refuses the new one, the old one is back.
    ///
    /// A device that is closed is opened without a stream to see what it grants, and closed again. Throws
    /// `configuration-conflict` where `revision` is given and is not that of the configuration. A driver call that hangs
    /// is answered within a second with `driver-stuck`, and nothing is changed then.
    package nonisolated func apply(
        _ configuration: SessionConfiguration,
        ifRevision revision: Int? = nil
    ) async throws(Problem) -> ConfigurationReport {
        try await ask("apply", longestCall: Self.shortCall) {
            await $0.apply(configuration, ifRevision: revision, $1)
        }
    }

    /// What the device offers; opens it for this if it is closed, and closes it again.
    package nonisolated func formats() async throws(Problem) -> [FormatDescription] {
        try await ask("formats") { await $0.listFormats($1) }
    }

    /// Closes the device and ends the session and its camera's thread.
    ///
    /// Clients are told `reason`, at once, also while a driver call hangs. Returns whether that was done within `limit`; a
    /// thread that hangs in a driver is left behind.
    package nonisolated func end(within limit: Duration, because reason: Problem = .daemonStops) async -> Bool {
        hub.close(reason)
        context.inbox.refuseAll(reason)
        let reply = Reply<Bool>(clock: clock)
        context.inbox.post("end", for: reply) { await $0.finish(reply) }
        return (try? await reply.value(until: clock.now + limit, otherwise: overdue("end"))) ?? false
    }

    // MARK: - In the session's turn

    func runCommands() async {
        // Those after the end are answered by the closed hub: nothing may open the device again.
        for command in context.inbox.takeCommands() where !phase.hasEnded { await command.run(self) }
    }

    private func finish(_ reply: Reply<Bool>) async {
        _ = await thread.run { $0.close() }
        enter(.ends)
        thread.stop()
        reply.resolve(.success(true))
    }

    /// Waits until the camera's thread has done all that it was given, and hears what it has told by then.
    ///
    /// Returns whether a client still waits for its answer: a call may have hung for longer than it does.
    func catchUp<Value>(for reply: Reply<Value>) async -> Bool {
        _ = await thread.run { _ in }
        await hear(context.inbox.takeEvents())
        return reply.isAwaited
    }

    private func listFormats(_ reply: Reply<[FormatDescription]>) async {
        guard reply.isAwaited else { return }
        let configuration = configuration
        do throws(DeviceError) {
            let formats = try await onThread { (side) throws(DeviceError) in
                reply.isAwaited ? try side.offeredFormats(configuration) : []
            }
            reply.resolve(.success(formats))
        } catch {
            reply.resolve(.failure(error.problem))
        }
    }
}

/// How a command reaches the session, and how its answer comes back, if it does.
extension CaptureSession {
    /// How long a command may take in all: opening a slow camera takes seconds.
    static let limit = Duration.seconds(10)
    /// The longest driver call that a command waits for which has a second for its answer.
    static let shortCall = Duration.milliseconds(800)

    /// Posts a command and waits for its answer: until a driver call has run for longer than `longestCall`, until the
    /// session has ended, and for ``limit`` at most.
    ///
    /// The session finds a reply that was given up no longer awaited. Behind a call that hangs already only a command that
    /// `isKept` is posted, which takes effect when the call returns; it replaces one of the same words that was given up,
    /// so that none pile up there.
    nonisolated func ask<Value: Sendable>(
        _ what: String,
        longestCall: Duration = DriverCalls.limit,
        isKept: Bool = false,
        _ command: @escaping @Sendable (isolated CaptureSession, Reply<Value>) async -> Void
    ) async throws(Problem) -> Value {
        let reply = Reply<Value>(clock: clock)
        let id = ObjectIdentifier(reply)
        context.inbox.expect(id) { reply.resolve(.failure($0)) }
        defer { context.inbox.forget(id) }
        if let closing = hub.closing { throw closing }
        if !isKept, let stuck = stuckProblem(after: longestCall) { throw stuck }
        context.inbox.post(what, for: reply) { await command($0, reply) }
        let end = clock.now + Self.limit
        while true {
            if let answer = await reply.wait(until: min(end, calls.nextHang(after: longestCall))) {
                return try answer.get()
            }
            let stuck = stuckProblem(after: longestCall)
            guard stuck != nil || clock.now >= end else { continue }
            reply.resolve(.failure(stuck ?? overdue(what)))
        }
    }

    /// What a command is answered that the session has not come to.
    nonisolated func overdue(_ what: String) -> Problem {
        stuckProblem
            ?? Problem(
                .deadlineExceeded,
                "The camera \(name) has not answered “\(what)” for \(SpokenDuration.text(Self.limit)).",
                remedy: "Try again.",
                retryAfter: .seconds(1)
            )
    }

    /// The problem while a driver call has run for longer than ``DriverCalls/limit``; nil while none has.
    ///
    /// For clients whose deadline has come.
    package nonisolated var stuckProblem: Problem? { stuckProblem(after: DriverCalls.limit) }

    /// The problem that waiting clients get at once, before their deadlines: a driver call has run for longer than
    /// ``DriverCalls/longestWait``; nil while none has.
    package nonisolated var hopelessProblem: Problem? { stuckProblem(after: DriverCalls.longestWait) }

    private nonisolated func stuckProblem(after limit: Duration) -> Problem? { context.stuckProblem(after: limit) }
}

extension Problem {
    /// Why a session ends when the daemon does.
    package static let daemonStops = Problem(
        .stopping,
        "The daemon is stopping.",
        remedy: "Ask again once it runs.",
        retryAfter: .seconds(2)
    )
}
