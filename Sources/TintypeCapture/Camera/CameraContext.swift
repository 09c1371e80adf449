// SPDX-License-Identifier: Apache-2.0
internal import CoreMetrics
internal import Logging
internal import Synchronization
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel
internal import TintypeSystem

struct OpeningPlan: Sendable {
    let number: UInt64
    let began: MonotonicTime
    let configuration: SessionConfiguration
    let wishes: ControlSettings
    /// True if the device stays open without clients, so watching its controls is worthwhile.
    let staysOpen: Bool
    /// True if warmth, a start or a hold keeps the camera open: a device without signal is then kept open, too.
    let isRetried: Bool
    let isFullSize: Bool
}

/// State shared by a session and its camera's thread; any thread.
final class CameraContext: Sendable {
    let name: String
    let dispatcher: FrameDispatcher
    let encoder: FrameEncoder
    let gaps: StreamGaps
    let motion: MotionWatch?
    let logger: Logger
    let clock: any MonotonicClock
    let calls: DriverCalls
    let knownFaults: KnownFaults
    let tell: EventSink
    let open: CaptureSession.Opener
    let failedOpenings = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
    /// True once the current hung driver call was reported.
    private let isKnownStuck = Atomic(false)

    init(
        name: String,
        configuration: SessionConfiguration,
        encoding: EncodingThreads,
        logger: Logger,
        clock: any MonotonicClock,
        tolerances: ToleranceStore,
        tell: @escaping EventSink,
        open: @escaping CaptureSession.Opener
    ) {
        (self.name, self.logger, self.clock, self.tell, self.open) = (name, logger, clock, tell, open)
        dispatcher = FrameDispatcher(clock: clock, camera: name, tell: tell)
        let limits = configuration.alarms
        encoder = FrameEncoder(
            threads: encoding,
            dispatcher: dispatcher,
            ring: configuration.ring.map { FrameRing($0, clock: clock) },
            look: configuration.look,
            alarms: limits.isEmpty ? nil : AlarmWatch(limits, camera: name, clock: clock, logger: logger, tell: tell),
            logger: logger
        )
        gaps = StreamGaps(clock: clock)
        motion = configuration.motion.map { MotionWatch($0, camera: name, clock: clock, tell: tell) }
        knownFaults = KnownFaults(clock: clock, store: tolerances)
        let timers = DriverCalls.Call.allCases.map { call in
            Timer(label: MetricName.driverCall.rawValue, dimensions: [("camera", name), ("call", call.name)])
        }
        calls = DriverCalls(clock: clock, camera: name) { call, time in
            timers[call.index].recordNanoseconds(time.nanosecondCount)
        }
    }

    var published: PublishedState { dispatcher.published }
    var thread: ThreadWakeup { dispatcher.thread }
    var mailbox: SessionMailbox { dispatcher.mailbox }
    var ring: FrameRing? { encoder.ring }
    var look: CameraLook? { encoder.look }
    var alarms: AlarmWatch? { encoder.alarms }

    func stuckCall(after limit: Duration) -> Problem? {
        guard let call = calls.stuck(longerThan: limit) else { return nil }
        let tenths = Int(call.runningMs.duration / .milliseconds(100))
        let detail = "\(call.name) on the camera \(name) has not returned for \(tenths / 10).\(tenths % 10) s."
        let remedy = "Unplug the camera if this lasts; the camera continues when the call returns."
        return Problem(.driverStuck, detail, remedy: remedy, retryAfter: .seconds(1))
    }

    /// Like ``stuckCall(after:)``, but the first call logs and publishes it, since the camera's own thread cannot.
    func stuckProblem(after limit: Duration = DriverCalls.limit) -> Problem? {
        guard let problem = stuckCall(after: limit) else { return nil }
        guard !isKnownStuck.load(ordering: .relaxed) else { return problem }
        // Before setting the flag: the thread that sees it reports the return.
        published.showStuck(problem)
        if !isKnownStuck.exchange(true, ordering: .relaxed) { log(problem, .driverStuck, .warning, in: .failed) }
        // The call may have returned meanwhile, and the thread may be asleep.
        if stuckCall(after: limit) == nil { reportReturn() }
        return problem
    }

    /// Problem of a driver call that hangs for so long that clients get it before their deadlines, else nil.
    var hopelessProblem: Problem? { stuckProblem(after: DriverCalls.longestWait) }

    func unanswered(_ command: String) -> Problem {
        stuckProblem()
            ?? Problem(
                .deadlineExceeded,
                "The camera \(name) has not answered “\(command)” for \(SpokenDuration.text(CaptureSession.limit)).",
                remedy: "Try again.",
                retryAfter: .seconds(1)
            )
    }

    /// Called when the camera's thread runs: no driver call hangs.
    func reportReturn() {
        guard isKnownStuck.load(ordering: .relaxed), isKnownStuck.exchange(false, ordering: .relaxed) else { return }
        logger.notice("the driver responds again", metadata: ["bus": published.bus])
        published.showReturn()
    }

    func log(_ problem: Problem, _ id: MessageID, _ level: Logger.Level, in state: SessionState.Name) {
        logger.log(
            level: level,
            "\(problem.detail)",
            metadata: [
                "bus": published.bus, "code": "\(problem.code.rawValue)", "state": "\(state.rawValue)",
                MessageID.key: "\(id)",
            ]
        )
    }

    func report(_ what: CameraEvent.What, of stream: UInt64?) { mailbox.tell(CameraEvent(stream: stream, what: what)) }

    /// Ends the interruption for a full-size still, if any, at the next good frame or when the camera is closed.
    func endGap(at moment: MonotonicTime) {
        gaps.end(at: moment) { gap in
            published.count { $0.gaps += 1 }
            logger.notice(
                "the stream was interrupted for a still of the largest size",
                metadata: ["gap": "\(HumanDuration.text(gap))"]
            )
        }
    }

    func publish(_ negotiation: Negotiation, of camera: CameraIdentity) {
        let unmet = negotiation.unmet
        if published.snapshot.negotiation?.unmet != unmet, !unmet.isEmpty {
            logger.warning("the driver did not grant all of the configuration: \(unmet.joined(separator: "; "))")
        }
        published.update { snapshot in
            snapshot.identity = camera
            snapshot.negotiation = negotiation
            snapshot.format = negotiation.granted.format
        }
    }
}

/// Event of one stream, sent by the camera's thread to its session.
struct CameraEvent: Sendable {
    enum What: Sendable {
        /// First good frame of a stream, after this time; `isFromOff`: the stream did not directly replace another.
        case firstFrame(Duration, isFromOff: Bool)
        /// First good frame with a timestamp of its own, thus known to belong to this stream.
        case firstTimedFrame
        /// The first client started, or the last one stopped, waiting for settled frames.
        case settling(isAwaited: Bool)
        case failed(DeviceError)
        /// The device is closed for a possible source change (`V4L2_EVENT_SOURCE_CHANGE`, `V4L2_EVENT_EOS`).
        case sourceChanged
        /// The device is closed because the machine was suspended for this long.
        case suspended(Duration)
    }

    /// Number of the stream; nil for a device that is open without a stream to await its signal.
    let stream: UInt64?
    let what: What

    var isProgress: Bool {
        switch what {
        case .firstFrame, .firstTimedFrame: true
        case .settling, .failed, .sourceChanged, .suspended: false
        }
    }
}

/// Pending messages to a session, which wake its task, once for several; any thread, never blocks.
final class SessionMailbox: Sendable {
    struct Command: Sendable {
        let name: String
        let isAwaited: @Sendable () -> Bool
        let run: @Sendable (isolated SessionLoop) async -> Void
    }

    private struct State {
        var commands: [Command] = []
        var events: [CameraEvent] = []
        var isRetryAsked = false
        var refusals: [ObjectIdentifier: @Sendable (Problem) -> Void] = [:]
    }

    private let state = Mutex(State())
    let waker: TaskWaker

    init(clock: any MonotonicClock) { waker = TaskWaker(clock: clock) }

    /// Queues a command for the next turn, in place of abandoned ones of the same name, and so of the same effect.
    func post<Value>(
        _ name: String,
        for reply: Reply<Value>,
        _ run: @escaping @Sendable (isolated SessionLoop) async -> Void
    ) {
        add { state in
            state.commands.removeAll { $0.name == name && !$0.isAwaited() }
            state.commands.append(Command(name: name, isAwaited: { reply.isAwaited }, run: run))
        }
    }

    func tell(_ event: CameraEvent) { add { $0.events.append(event) } }
    func askForRetry() { add { $0.isRetryAsked = true } }
    func takeCommands() -> [Command] { take(\.commands, leaving: []) }
    func takeEvents() -> [CameraEvent] { take(\.events, leaving: []) }
    func takeRetry() -> Bool { take(\.isRetryAsked, leaving: false) }
    var commandCount: Int { state.withLock(\.commands.count) }

    private func add(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
        waker.wake()
    }

    private func take<Value: Sendable>(_ path: WritableKeyPath<State, Value>, leaving rest: Value) -> Value {
        state.withLock { exchange(&$0[keyPath: path], with: rest) }
    }

    /// Registers `refuse`, to be called by ``refuseAll(_:)`` until ``forget(_:)``.
    func expect(_ reply: ObjectIdentifier, _ refuse: @escaping @Sendable (Problem) -> Void) {
        state.withLock { $0.refusals[reply] = refuse }
    }

    func forget(_ reply: ObjectIdentifier) { state.withLock { _ = $0.refusals.removeValue(forKey: reply) } }

    /// Fails all registered replies because the session ends, even during a hung driver call.
    func refuseAll(_ problem: Problem) {
        let refusals = state.withLock { Array($0.refusals.values) }
        for refuse in refusals { refuse(problem) }
    }
}

extension CaptureSession {
    /// Triggers the pending retry of a wanted camera, because a device was added, removed or changed; any thread.
    package func retryNow() { context.mailbox.askForRetry() }
}
