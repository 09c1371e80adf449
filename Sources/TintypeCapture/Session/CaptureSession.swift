// SPDX-License-Identifier: Apache-2.0
package import Logging
internal import Synchronization
package import TintypeDevice
internal import TintypeImaging
package import TintypeModel
package import TintypeSystem

/// One camera for any thread: published state, and commands to its ``SessionLoop``, which decides; without an answer
/// they throw `driver-stuck` during a hung call, `stopping` at the end, and `deadline-exceeded` after ``limit``.
package final class CaptureSession: Sendable {
    /// Opens the device, on the camera's thread, anew each time.
    package typealias Opener = @Sendable (DriverCalls) throws(DeviceError) -> sending any CaptureDevice

    let context: CameraContext
    private let loop: SessionLoop
    let thread: CameraThread<CameraWorker>

    /// `tolerances` has the faults learned before; `tell` is called on any thread and under locks, and must not call
    /// back.
    package init(
        name: String,
        configuration: SessionConfiguration,
        encoding: EncodingThreads,
        logger: Logger,
        clock: any MonotonicClock = .system,
        tolerances: ToleranceStore = ToleranceStore(),
        tell: @escaping EventSink = { _ in },
        open: @escaping Opener
    ) {
        var logger = logger
        logger[metadataKey: "camera"] = "\(name)"
        let context = CameraContext(
            name: name,
            configuration: configuration,
            encoding: encoding,
            logger: logger,
            clock: clock,
            tolerances: tolerances,
            tell: tell,
            open: open
        )
        context.published.update { $0.configuration = configuration }
        let thread = CameraThread(name: "tt-\(name)", wakeup: context.thread, clock: clock) { CameraWorker(context) }
        let loop = SessionLoop(context, thread, configuration)
        (self.context, self.thread, self.loop) = (context, thread, loop)
        Task { [weak loop] in
            while let next = await loop?.turn() { await context.mailbox.waker.sleep(until: next.moment) }
        }
        context.mailbox.waker.wake()
    }

    package var name: String { context.name }
    package var clock: any MonotonicClock { context.clock }
    package var dispatcher: FrameDispatcher { context.dispatcher }
    package var published: PublishedState { context.published }
    package var knownFaults: KnownFaults { context.knownFaults }
    package var ring: FrameRing? { context.ring }
    package var motion: MotionWatch? { context.motion }
    package var controls: ControlCommands { ControlCommands(session: self) }
    /// True if the camera was stopped by command and not opened since.
    package var isStopped: Bool { published.warmth.use.isStopped }
    package var stopCount: Int { dispatcher.stops.count }
    /// Problem of a client that began at this stop count; nil if the camera was not stopped since.
    package func stop(since count: Int) -> Problem? { dispatcher.stops.problem(since: count) }
    /// Time that a still may need in addition, by the configured and learned limits of silence.
    package var extraWait: Duration { dispatcher.limits.extraWait(published.snapshot.configuration) }
    /// Failed openings in a row for which a reset of the device may help; 0 after a good frame; for a single consumer.
    package var failedOpenings: AsyncStream<Int> { context.failedOpenings.stream }
    package var heartbeat: Heartbeat { thread.heartbeat("the thread of the camera \(name)", context.calls) }

    /// Time limit of a command: opening a slow camera takes seconds.
    static let limit = Duration.seconds(10)
    /// Longest driver call awaited by a command that must answer within a second.
    static let shortCall = Duration.milliseconds(800)

    /// Closes the device, and ends the session and its thread; clients get `reason` at once; true if done within
    /// `limit`; a thread that hangs in a driver is abandoned.
    package func end(within limit: Duration, because reason: Problem = .daemonStops) async -> Bool {
        dispatcher.change { $0.close(reason) }
        context.mailbox.refuseAll(reason)
        // Here, because the thread may hang.
        context.alarms?.end(forGood: true)
        published.end()
        let reply = Reply<Bool>(clock: clock)
        context.mailbox.post("end", for: reply) { session in
            _ = await session.thread.run { $0.close() }
            session.enter(.ends)
            session.thread.stop()
            reply.resolve(.success(true))
        }
        return (try? await reply.value(until: clock.now + limit, otherwise: context.unanswered("end"))) ?? false
    }

    /// Posts a command and waits for its answer, until a driver call has run for `longestCall`, the session ends, or
    /// ``limit``.
    ///
    /// A command returns its answer, or nil once it has answered itself. During a hung call only one with `isKept` is
    /// posted; it replaces an abandoned one of the same name.
    func ask<Value: Sendable>(
        _ what: String,
        longestCall: Duration = DriverCalls.limit,
        isKept: Bool = false,
        _ command: @escaping @Sendable (isolated SessionLoop, Reply<Value>) async throws(Problem) -> Value?
    ) async throws(Problem) -> Value {
        let reply = Reply<Value>(clock: clock)
        let id = ObjectIdentifier(reply)
        context.mailbox.expect(id) { reply.resolve(.failure($0)) }
        defer { context.mailbox.forget(id) }
        if let closing = dispatcher.state.withLock(\.subscribers.closing) { throw closing }
        if !isKept, let stuck = context.stuckProblem(after: longestCall) { throw stuck }
        context.mailbox.post(what, for: reply) { session in
            do throws(Problem) {
                if let value = try await command(session, reply) { reply.resolve(.success(value)) }
            } catch {
                reply.resolve(.failure(error))
            }
        }
        let end = clock.now + Self.limit
        while true {
            if let answer = await reply.wait(until: min(end, context.calls.nextHang(after: longestCall))) {
                return try answer.get()
            }
            let stuck = context.stuckProblem(after: longestCall)
            guard stuck != nil || clock.now >= end else { continue }
            reply.resolve(.failure(stuck ?? context.unanswered(what)))
        }
    }
}

extension Problem {
    package static let daemonStops = Problem(
        .stopping,
        "The daemon is stopping.",
        remedy: "Ask again once it runs.",
        retryAfter: .seconds(2)
    )
}

/// Control commands to one camera; a closed device is opened for them; they throw `driver-stuck` during a hung driver
/// call; the settings are not remembered then.
package struct ControlCommands: Sendable {
    let session: CaptureSession

    package func all() async throws(Problem) -> [ControlDescription] {
        try await ask("controls", changesControls: false) { (controls, _) throws(DeviceError) in
            try controls.driver.all()
        }
    }

    /// Sets controls now and at each opening, until ``reset()`` or ``use(_:named:)``; rejected ones are not retried.
    package func set(_ settings: ControlSettings) async throws(Problem) -> [ControlOutcome] {
        try await checkMask(settings)
        return try await ask("set controls") { (controls, _) throws(DeviceError) in
            try controls.driver.apply(settings)
        } remembering: {
            $0.remember($1)
        }
    }

    /// Applies the profile `name` in place of configured controls and those set before; returns the outcomes by name.
    package func use(_ settings: ControlSettings, named name: String) async throws(Problem) -> [ControlOutcome] {
        try await checkMask(settings)
        return try await ask("apply a profile") { (controls, _) throws(DeviceError) in
            try controls.apply(settings)
        } remembering: { state, _ in
            state.use((name, settings))
        }
    }

    /// Resets all controls to their defaults, then applies the configured ones, forgetting those set by command.
    package func reset() async throws(Problem) -> [ControlOutcome] {
        let isMasked = look?.isMasked == true
        return try await ask("reset controls") { (controls, configured) throws(DeviceError) in
            let restored = try controls.driver.restoreDefaults(keepingView: isMasked)
            let outcomes = try controls.apply(configured)
            let names = Set(outcomes.map(\.name))
            return (restored.filter { !names.contains($0.name) } + outcomes).sorted { $0.name < $1.name }
        } remembering: { state, _ in
            state.use(nil)
        }
    }

    private var look: CameraLook? { session.context.look }

    private func checkMask(_ settings: ControlSettings) async throws(Problem) {
        guard let look, look.isMasked else { return }
        try look.check(settings, of: try await all())
    }

    /// Remembers the change only if the client receives the answer: one told of a failure must not find it applied
    /// later.
    private func ask<Value: Sendable>(
        _ what: String,
        changesControls: Bool = true,
        _ body: @escaping @Sendable (ControlWatch, ControlSettings) throws(DeviceError) -> Value,
        remembering remember: @escaping @Sendable (inout ControlState, Value) -> Void = { _, _ in }
    ) async throws(Problem) -> Value {
        try await session.ask(what) { (session, reply) throws(Problem) in
            guard reply.isAwaited else { return nil }
            let (before, wishes) = (session.controls, session.controls.wishes)
            do throws(DeviceError) {
                let value = try await session.onThread { (worker) throws(DeviceError) -> Value? in
                    // A driver call may have hung before this.
                    guard reply.isAwaited else { return nil }
                    return try worker.withControls(keeping: wishes, changesThem: changesControls) {
                        (controls) throws(DeviceError) in try body(controls, before.configured)
                    }
                }
                guard let value else { return nil }
                remember(&session.controls, value)
                Self.publishProfile(session)
                guard !reply.resolve(.success(value)) else { return nil }
                session.controls = before
                Self.publishProfile(session)
                return nil
            } catch {
                throw error.problem
            }
        }
    }

    private static func publishProfile(_ session: isolated SessionLoop) {
        let name = session.controls.profile?.name
        session.context.published.updateControls { $0.profile = name }
    }
}

struct ControlState {
    var configured: ControlSettings
    private(set) var profile: (name: String, settings: ControlSettings)?
    /// Settings made by command since, which take precedence.
    private(set) var running = ControlSettings()

    var wishes: ControlSettings { (profile?.settings ?? configured).merging(running) }

    /// Replaces the configured settings by a profile, or restores them if nil; forgets settings made by command.
    mutating func use(_ profile: (name: String, settings: ControlSettings)?) {
        self.profile = profile
        running = ControlSettings()
    }

    /// Remembers lasting settings made by command, without rejected ones and button controls.
    mutating func remember(_ outcomes: [ControlOutcome]) {
        var kept = ControlSettings()
        for outcome in outcomes where outcome.isFulfilled && outcome.value != nil {
            kept.values[outcome.name] = outcome.asked
        }
        running = running.merging(kept)
    }
}
