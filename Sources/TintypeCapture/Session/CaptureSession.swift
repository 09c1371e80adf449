// SPDX-License-Identifier: Apache-2.0
package import Logging
internal import Synchronization
package import TintypeDevice
package import TintypeModel
package import TintypeSystem

/// One camera: opened and closed for its clients, and recovered after a failure.
///
/// This is its part for any thread: what is published, and commands to its ``SessionLoop``, which decides. A missing
/// answer to a command is a problem: `driver-stuck` during a hung driver call, `stopping` at the end of the session,
/// `deadline-exceeded` after ``limit``.
package final class CaptureSession: Sendable {
    /// Opens the device, on the camera's thread, anew each time.
    package typealias Opener = @Sendable (DriverCalls) throws(DeviceError) -> sending any CaptureDevice

    let context: CameraContext
    private let loop: SessionLoop
    let thread: CameraThread<CameraWorker>

    /// Creates a session, with the camera off until the first request; `quality` is the default for compressed
    /// pictures; `tolerances` has the faults learned before; `tell` is called on any thread and under locks, and must
    /// not call back.
    package init(
        name: String,
        configuration: SessionConfiguration,
        quality: Int = StillRequest.defaultQuality,
        position: GeoPosition? = nil,
        overlay: OverlayStyle = OverlayStyle(),
        encoding: EncodingThreads,
        logger: Logger,
        clock: any MonotonicClock = .system,
        tolerances: ToleranceBook = ToleranceBook(),
        tell: @escaping EventSink = { _ in },
        open: @escaping Opener
    ) {
        var logger = logger
        logger[metadataKey: "camera"] = "\(name)"
        let context = CameraContext(
            name: name,
            configuration: configuration,
            quality: quality,
            encoding: encoding,
            logger: logger,
            clock: clock,
            tolerances: tolerances,
            tell: tell,
            open: open
        )
        context.published.update { snapshot in
            snapshot.configuration = configuration
            snapshot.position = position
            snapshot.overlay = overlay
        }
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
    package var calls: DriverCalls { context.calls }
    package var controls: ControlCommands { ControlCommands(session: self) }
    /// True if the camera was stopped by command and not opened since.
    package var isStopped: Bool { published.warmth.use.isStopped }
    /// Number of stop commands to the camera.
    package var stopCount: Int { dispatcher.stops.count }
    package var heartbeat: Heartbeat { thread.heartbeat("the thread of the camera \(name)", context.calls) }

    // MARK: - Commands

    /// Time limit of a command: opening a slow camera takes seconds.
    static let limit = Duration.seconds(10)
    /// Longest driver call awaited by a command that must answer within a second.
    private static let shortCall = Duration.milliseconds(800)

    /// Opens the device and keeps it open until ``stop()``; returns the granted format once the stream runs.
    package func start() async throws(Problem) -> CaptureFormat {
        try await ask("start", longestCall: DriverCalls.longestWait) { await $0.start($1) }
    }

    /// Ends the stream and closes the device, even if hot or held, until the next request.
    ///
    /// Answers within a second. During a hung driver call it throws `driver-stuck`, and the device is closed when the
    /// call returns.
    package func stop() async throws(Problem) {
        _ = try await ask("stop", longestCall: Self.shortCall, isKept: true) { await $0.stop($1) }
    }

    /// Opens the device and keeps it open for the owner, for the requested time and through interruptions.
    ///
    /// Repeating the request extends the hold. Returns the hold once the stream runs. If the owner has no hold yet,
    /// throws the problem of opening the device; throws `too-many-requests` if there are too many holds. With `stops`,
    /// the stop count when the client began, throws `stopping` if the camera was stopped since or is still stopped.
    package func hold(_ request: HoldRequest, ifStopped stops: Int? = nil) async throws(Problem) -> CameraHold {
        try await ask("hold", longestCall: DriverCalls.longestWait) { await $0.hold(request, ifStopped: stops, $1) }
    }

    /// Ends the hold of one owner, or all holds; after the last one the device returns to its warmth.
    ///
    /// Returns the remaining holds, after closing the device if nothing keeps it open. Throws `not-found` if the owner
    /// has no hold.
    package func release(_ request: ReleaseRequest) async throws(Problem) -> [CameraHold] {
        let what = ["release", request.owner].compactMap(\.self).joined(separator: " ")
        return try await ask(what, longestCall: Self.shortCall, isKept: true) { await $0.release(request, $1) }
    }

    /// Changes the whole configuration or nothing: if the device rejects the new one, the old one is restored.
    ///
    /// A closed device is opened without streaming to negotiate the format, and closed again. Throws
    /// `configuration-conflict` if `revision` is not nil and not the current one. During a hung driver call it throws
    /// `driver-stuck` within a second and changes nothing.
    package func apply(
        _ configuration: SessionConfiguration,
        ifRevision revision: Int? = nil
    ) async throws(Problem) -> ConfigurationReport {
        try await ask("apply", longestCall: Self.shortCall) { await $0.apply(configuration, ifRevision: revision, $1) }
    }

    /// Formats offered by the device; a closed one is opened for this and closed again.
    package func formats() async throws(Problem) -> [FormatDescription] {
        try await ask("formats") { await $0.listFormats($1) }
    }

    /// Triggers the pending retry of a wanted camera, because a device was added, removed or changed; any thread.
    package func retryNow() { context.mailbox.askForRetry() }

    /// Closes the device, and ends the session and the camera's thread.
    ///
    /// Clients get `reason` at once, even during a hung driver call. Returns true if done within `limit`; a thread that
    /// hangs in a driver is abandoned.
    package func end(within limit: Duration, because reason: Problem = .daemonStops) async -> Bool {
        dispatcher.change { $0.close(reason) }
        context.mailbox.refuseAll(reason)
        let reply = Reply<Bool>(clock: clock)
        context.mailbox.post("end", for: reply) { session in
            await session.end()
            reply.resolve(.success(true))
        }
        return (try? await reply.value(until: clock.now + limit, otherwise: context.unanswered("end"))) ?? false
    }

    /// Posts a command and waits for its answer.
    ///
    /// Gives up when a driver call has run for longer than `longestCall`, when the session ends, and after ``limit``;
    /// the reply is then no longer awaited. During a hung call only a command with `isKept` is posted, and takes effect
    /// when the call returns. It replaces an abandoned command of the same name, so that none pile up.
    func ask<Value: Sendable>(
        _ what: String,
        longestCall: Duration = DriverCalls.limit,
        isKept: Bool = false,
        _ command: @escaping @Sendable (isolated SessionLoop, Reply<Value>) async -> Void
    ) async throws(Problem) -> Value {
        let reply = Reply<Value>(clock: clock)
        let id = ObjectIdentifier(reply)
        context.mailbox.expect(id) { reply.resolve(.failure($0)) }
        defer { context.mailbox.forget(id) }
        if let closing = dispatcher.state.withLock(\.subscribers.closing) { throw closing }
        if !isKept, let stuck = context.stuckProblem(after: longestCall) { throw stuck }
        context.mailbox.post(what, for: reply) { await command($0, reply) }
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
    /// Reason for ending a session when the daemon stops.
    package static let daemonStops = Problem(
        .stopping,
        "The daemon is stopping.",
        remedy: "Ask again once it runs.",
        retryAfter: .seconds(2)
    )
}
