// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
package import TintypeModel
internal import TintypeSystem

/// Commands to a session, from any thread.
///
/// They never await the session itself. A missing answer is a problem: `driver-stuck` during a hung driver call,
/// `stopping` at the end of the session, `deadline-exceeded` after ``limit``.
extension CaptureSession {
    /// Opens the device and keeps it open until ``stop()``; returns the granted format once the stream runs.
    package nonisolated func start() async throws(Problem) -> CaptureFormat {
        try await ask("start", longestCall: DriverCalls.longestWait) { await $0.start($1) }
    }

    /// Ends the stream and closes the device, even if hot or held, until the next request.
    ///
    /// Answers within a second. During a hung driver call it throws `driver-stuck`, and the device is closed when the
    /// call returns.
    package nonisolated func stop() async throws(Problem) {
        _ = try await ask("stop", longestCall: Self.shortCall, isKept: true) { await $0.stop($1) }
    }

    /// Changes the whole configuration or nothing: if the device rejects the new one, the old one is restored.
    ///
    /// A closed device is opened without streaming to negotiate the format, and closed again. Throws
    /// `configuration-conflict` if `revision` is not nil and not the current one. During a hung driver call it throws
    /// `driver-stuck` within a second and changes nothing.
    package nonisolated func apply(
        _ configuration: SessionConfiguration,
        ifRevision revision: Int? = nil
    ) async throws(Problem) -> ConfigurationReport {
        try await ask("apply", longestCall: Self.shortCall) { await $0.apply(configuration, ifRevision: revision, $1) }
    }

    /// Formats offered by the device; a closed one is opened for this and closed again.
    package nonisolated func formats() async throws(Problem) -> [FormatDescription] {
        try await ask("formats") { await $0.listFormats($1) }
    }

    /// Closes the device, and ends the session and the camera's thread.
    ///
    /// Clients get `reason` at once, even during a hung driver call. Returns true if done within `limit`; a thread that
    /// hangs in a driver is abandoned.
    package nonisolated func end(within limit: Duration, because reason: Problem = .daemonStops) async -> Bool {
        dispatcher.change { $0.close(reason) }
        context.mailbox.refuseAll(reason)
        let reply = Reply<Bool>(clock: clock)
        context.mailbox.post("end", for: reply) { await $0.finish(reply) }
        return (try? await reply.value(until: clock.now + limit, otherwise: overdue("end"))) ?? false
    }

    // MARK: - In the session's turn

    func runCommands() async {
        // After the end the closed dispatcher answers commands; none may reopen the device.
        for command in context.mailbox.takeCommands() where !phase.hasEnded { await command.run(self) }
    }

    private func finish(_ reply: Reply<Bool>) async {
        _ = await thread.run { $0.close() }
        enter(.ends)
        thread.stop()
        reply.resolve(.success(true))
    }

    /// Waits for the camera's thread to finish its queued work, and handles its events; returns true if the client
    /// still waits: a driver call may have hung for longer.
    func catchUp<Value>(for reply: Reply<Value>) async -> Bool {
        _ = await thread.run { _ in }
        await hear(context.mailbox.takeEvents())
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

    // MARK: - Delivery of commands and their answers

    /// Time limit of a command: opening a slow camera takes seconds.
    static let limit = Duration.seconds(10)
    /// Longest driver call awaited by a command that must answer within a second.
    static let shortCall = Duration.milliseconds(800)

    /// Posts a command and waits for its answer.
    ///
    /// Gives up when a driver call has run for longer than `longestCall`, when the session ends, and after ``limit``;
    /// the reply is then no longer awaited. During a hung call only a command with `isKept` is posted, and takes effect
    /// when the call returns. It replaces an abandoned command of the same name, so that none pile up.
    nonisolated func ask<Value: Sendable>(
        _ what: String,
        longestCall: Duration = DriverCalls.limit,
        isKept: Bool = false,
        _ command: @escaping @Sendable (isolated CaptureSession, Reply<Value>) async -> Void
    ) async throws(Problem) -> Value {
        let reply = Reply<Value>(clock: clock)
        let id = ObjectIdentifier(reply)
        context.mailbox.expect(id) { reply.resolve(.failure($0)) }
        defer { context.mailbox.forget(id) }
        if let closing = dispatcher.closing { throw closing }
        if !isKept, let stuck = stuckProblem(after: longestCall) { throw stuck }
        context.mailbox.post(what, for: reply) { await command($0, reply) }
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

    /// Problem of a command that the session has not answered.
    nonisolated func overdue(_ what: String) -> Problem {
        stuckProblem
            ?? Problem(
                .deadlineExceeded,
                "The camera \(name) has not answered “\(what)” for \(SpokenDuration.text(Self.limit)).",
                remedy: "Try again.",
                retryAfter: .seconds(1)
            )
    }

    /// Problem of a driver call longer than ``DriverCalls/limit``, else nil; for clients whose deadline has passed.
    package nonisolated var stuckProblem: Problem? { stuckProblem(after: DriverCalls.limit) }

    /// Problem of a driver call longer than ``DriverCalls/longestWait``, else nil; clients get it before their
    /// deadlines.
    package nonisolated var hopelessProblem: Problem? { stuckProblem(after: DriverCalls.longestWait) }

    private nonisolated func stuckProblem(after limit: Duration) -> Problem? { context.stuckProblem(after: limit) }
}

extension Problem {
    /// Reason for ending a session when the daemon stops.
    package static let daemonStops = Problem(
        .stopping,
        "The daemon is stopping.",
        remedy: "Ask again once it runs.",
        retryAfter: .seconds(2)
    )
}
