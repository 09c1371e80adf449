// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
package import TintypeModel
internal import TintypeThreads

/// How a command reaches the session, and how its answer comes back, if it does.
extension CaptureSession {
    /// How long a command may take in all: opening a slow camera takes seconds.
    static let limit = Duration.seconds(10)
    /// A driver call that runs for longer than this is taken as hanging by commands that have a second for their answer.
    static let shortPatience = Duration.milliseconds(800)
    /// The same for those that ask a device what it has, or set its controls.
    static let longPatience = DriverCalls.limit

    /// Posts a command and waits for its answer: until a driver call has hung for longer than `patience`, or than a client
    /// that waits for a frame allows it where that is nil, until the session has ended, and for ``limit`` at most.
    ///
    /// The session finds a reply that was given up no longer awaited. Behind a call that hangs already only a command that
    /// `isKept` is posted, which takes effect when the call returns: others would pile up there.
    nonisolated func ask<Value: Sendable>(
        _ what: String,
        patience: Duration?,
        isKept: Bool = false,
        _ command: @escaping @Sendable (isolated CaptureSession, Reply<Value>) async -> Void
    ) async throws(Problem) -> Value {
        let reply = Reply<Value>()
        let id = ObjectIdentifier(reply)
        context.inbox.expect(id) { reply.resolve(.failure($0)) }
        defer { context.inbox.forget(id) }
        if let closing = hub.closing { throw closing }
        if !isKept, let stuck = stuckProblem(after: patience) { throw stuck }
        context.inbox.post { await command($0, reply) }
        let end = MonotonicTime.now() + Self.limit
        while true {
            if let answer = await reply.wait(until: min(end, calls.nextHang(after: patience))) {
                return try answer.get()
            }
            let stuck = stuckProblem(after: patience)
            guard stuck != nil || MonotonicTime.now() >= end else { continue }
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
    /// For the status, the ring, and clients whose deadline has come. Those that wait for a frame get ``hopelessProblem``.
    package nonisolated var stuckProblem: Problem? { stuckProblem(after: DriverCalls.limit) }

    /// The problem that clients get at once that wait for a frame: a driver call hangs for longer than such a call may
    /// take; nil while none does.
    nonisolated var hopelessProblem: Problem? { calls.hopeless().map(problem) }

    private nonisolated func stuckProblem(after patience: Duration?) -> Problem? {
        guard let patience else { return hopelessProblem }
        return calls.stuck(longerThan: patience).map(problem)
    }

    /// Tells of a driver call that hangs; the first to notice logs it.
    private nonisolated func problem(_ call: CameraStatus.StuckCall) -> Problem {
        let tenths = Int(call.runningMs.duration / .milliseconds(100))
        let problem = Problem(
            .driverStuck,
            "\(call.name) on the camera \(name) has not returned for \(tenths / 10).\(tenths % 10) s.",
            remedy: "Unplug the camera if this lasts; the camera continues when the call returns.",
            retryAfter: .seconds(1)
        )
        context.reportStuck(problem)
        return problem
    }
}
