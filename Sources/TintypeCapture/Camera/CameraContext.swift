// SPDX-License-Identifier: Apache-2.0
internal import CoreMetrics
internal import Logging
internal import Synchronization
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

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
    /// True once the current hung driver call was reported.
    private let isKnownStuck = Atomic(false)

    init(
        name: String,
        configuration: SessionConfiguration,
        quality: Int,
        encoding: EncodingThreads,
        logger: Logger,
        clock: any MonotonicClock,
        tolerances: ToleranceBook,
        tell: @escaping EventSink,
        open: @escaping CaptureSession.Opener
    ) {
        (self.name, self.logger, self.clock, self.tell, self.open) = (name, logger, clock, tell, open)
        dispatcher = FrameDispatcher(clock: clock, camera: name, tell: tell)
        let ring = configuration.ring.map { FrameRing($0, clock: clock) }
        encoder = FrameEncoder(encoding, for: dispatcher, ring: ring, quality: quality, logger: logger)
        gaps = StreamGaps(clock: clock)
        motion = configuration.motion.map { MotionWatch($0, camera: name, clock: clock, tell: tell) }
        knownFaults = KnownFaults(clock: clock, book: tolerances)
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

    // MARK: - Hung driver calls

    /// Problem of a driver call that has run for longer than `limit`, else nil.
    func stuckCall(after limit: Duration) -> Problem? {
        guard let call = calls.stuck(longerThan: limit) else { return nil }
        let tenths = Int(call.runningMs.duration / .milliseconds(100))
        return Problem(
            .driverStuck,
            "\(call.name) on the camera \(name) has not returned for \(tenths / 10).\(tenths % 10) s.",
            remedy: "Unplug the camera if this lasts; the camera continues when the call returns.",
            retryAfter: .seconds(1)
        )
    }

    /// Like ``stuckCall(after:)``, for a client that gets the problem; the first one logs and publishes it, since the
    /// camera's own thread cannot.
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

    /// Problem of a command that the session has not answered.
    func unanswered(_ command: String) -> Problem {
        stuckProblem()
            ?? Problem(
                .deadlineExceeded,
                "The camera \(name) has not answered “\(command)” for \(SpokenDuration.text(CaptureSession.limit)).",
                remedy: "Try again.",
                retryAfter: .seconds(1)
            )
    }

    /// Reports that the camera's thread runs again, so no driver call hangs.
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

    // MARK: - Reports

    /// Sends an event of a stream to the session; see ``CameraEvent``.
    func report(_ what: CameraEvent.What, of stream: UInt64?) { mailbox.tell(CameraEvent(stream: stream, what: what)) }

    /// Ends the stream interruption for a full-size still, if any: at the first good frame afterwards, or when the
    /// camera is closed before one arrives.
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
        /// First good frame of a stream that did not directly replace another, and its time.
        case firstFrame(MonotonicTime, isFromOff: Bool)
        /// First good frame with a timestamp of its own, thus known to belong to this stream.
        case firstTimedFrame
        /// The first client started, or the last one stopped, waiting for settled frames.
        case settling(isAwaited: Bool)
        /// The device failed and is closed.
        case failed(DeviceError)
        /// The source has or may have changed (`V4L2_EVENT_SOURCE_CHANGE`, `V4L2_EVENT_EOS`); the device is closed for
        /// that.
        case sourceChanged
        /// The machine was suspended for this long, and the device is closed for that.
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

/// Interruptions of a camera's stream for full-size stills; any thread, never blocks.
final class StreamGaps: Sendable {
    /// The last interruption.
    private struct Gap {
        let began: MonotonicTime
        /// Number of the full-size stream; nil until it runs.
        var stream: UInt64?
        /// Nil while the interruption lasts.
        var duration: Duration?
        var replies: [Reply<Duration>] = []
    }

    private let last = Mutex<Gap?>(nil)
    private let clock: any MonotonicClock

    init(clock: any MonotonicClock) { self.clock = clock }

    /// Begins an interruption after the frame of `moment`, unless one is in progress.
    func begin(at moment: MonotonicTime) {
        last.withLock { if $0 == nil || $0?.duration != nil { $0 = Gap(began: moment) } }
    }

    /// Registers the stream of the largest size that runs during the current interruption, if any.
    func register(stream: UInt64) { last.withLock { if $0?.duration == nil { $0?.stream = stream } } }

    /// Time of the last frame before the current interruption; nil if not interrupted.
    var began: MonotonicTime? { last.withLock { $0?.duration == nil ? $0?.began : nil } }

    /// Start of the interruption for `stream`, and a reply resolved with its duration once over; nil if unknown.
    func gap(of stream: UInt64) -> (began: MonotonicTime, reply: Reply<Duration>)? {
        last.withLock { last in
            guard let gap = last, gap.stream == stream else { return nil }
            let reply = Reply<Duration>(clock: clock)
            if let duration = gap.duration { reply.resolve(.success(duration)) } else { last?.replies.append(reply) }
            return (gap.began, reply)
        }
    }

    /// Ends the current interruption, if any; `recording` gets its duration before clients do.
    func end(at moment: MonotonicTime, recording record: (Duration) -> Void) {
        let (duration, replies) = last.withLock { last -> (Duration?, [Reply<Duration>]) in
            guard let gap = last, gap.duration == nil else { return (nil, []) }
            let duration = max(.zero, moment - gap.began)
            last?.duration = duration
            last?.replies = []
            return (duration, gap.replies)
        }
        guard let duration else { return }
        record(duration)
        for reply in replies { reply.resolve(.success(duration)) }
    }
}
