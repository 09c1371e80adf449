// SPDX-License-Identifier: Apache-2.0
internal import CoreMetrics
internal import Logging
internal import Synchronization
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel
internal import TintypeSystem

/// State shared by a session and its camera's thread; any thread.
final class CameraContext: Sendable {
    let name: String
    let dispatcher: FrameDispatcher
    let gaps: StreamGaps
    let encoding: EncodingThreads
    /// Ring of past frames, if configured.
    let ring: FrameRing?
    /// Motion detection, if configured.
    let motion: MotionWatch?
    let logger: Logger
    let clock: any MonotonicClock
    let calls: DriverCalls
    let knownFaults: KnownFaults
    let analyses = AnalysisCache()
    let tell: EventSink
    let open: CaptureSession.Opener
    /// True once the current hung driver call was reported.
    private let isKnownStuck = Atomic(false)

    init(
        name: String,
        dispatcher: FrameDispatcher,
        encoding: EncodingThreads,
        ring: FrameRing?,
        motion: MotionSettings?,
        logger: Logger,
        clock: any MonotonicClock,
        tolerances: ToleranceBook,
        tell: @escaping EventSink,
        open: @escaping CaptureSession.Opener
    ) {
        self.name = name
        self.dispatcher = dispatcher
        gaps = StreamGaps(clock: clock)
        self.encoding = encoding
        self.ring = ring
        self.motion = motion.map { MotionWatch($0, camera: name, clock: clock, tell: tell) }
        self.logger = logger
        self.clock = clock
        knownFaults = KnownFaults(clock: clock, book: tolerances)
        let timers = DriverCalls.Call.allCases.map { call in
            Timer(label: MetricName.driverCall.rawValue, dimensions: [("camera", name), ("call", call.name)])
        }
        calls = DriverCalls(clock: clock, camera: name) { call, time in
            timers[call.index].recordNanoseconds(time.nanosecondCount)
        }
        self.tell = tell
        self.open = open
    }

    var published: PublishedState { dispatcher.published }
    var thread: ThreadWakeup { dispatcher.thread }
    var mailbox: SessionMailbox { dispatcher.mailbox }

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
    func stuckProblem(after limit: Duration) -> Problem? {
        guard let problem = stuckCall(after: limit) else { return nil }
        guard !isKnownStuck.load(ordering: .relaxed) else { return problem }
        // Before setting the flag: the thread that sees it reports the return.
        published.showStuck(problem)
        if !isKnownStuck.exchange(true, ordering: .relaxed) {
            logger.warning(
                "\(problem.detail)",
                metadata: [
                    "bus": published.bus, "code": "\(problem.code.rawValue)",
                    "state": "\(SessionState.Name.failed.rawValue)",
                    MessageID.key: "\(MessageID.driverStuck)",
                ]
            )
        }
        // The call may have returned meanwhile, and the thread may be asleep.
        if stuckCall(after: limit) == nil { reportReturn() }
        return problem
    }

    /// Reports that the camera's thread runs again, so no driver call hangs.
    func reportReturn() {
        guard isKnownStuck.load(ordering: .relaxed), isKnownStuck.exchange(false, ordering: .relaxed) else { return }
        logger.notice("the driver responds again", metadata: ["bus": published.bus])
        published.showReturn()
    }

    /// Encodes a frame for all clients that wait for this options; returns at once, or after a short copy if
    /// `mayCopyHere`.
    func encode(_ picture: Frame, as options: EncodingOptions, mayCopyHere: Bool = false) {
        let moment = picture.stamp.exposureStart
        let facts: @Sendable () -> CameraFacts = { [published] in published.facts(at: moment) }
        encoding.render(
            picture,
            as: options,
            for: dispatcher.state.withLock { $0.client(awaiting: options, of: picture.key) },
            remembering: analyses,
            describing: facts,
            mayCopyHere: mayCopyHere
        ) { [self] rendered in
            let accepted = rendered.flatMap { image -> Result<EncodedImage, ImagingError> in
                options.standard.rejection(of: image.defects).map { .failure(.rejected($0)) } ?? .success(image)
            }
            // Pictures in the ring are not stills yet: each gets its own id when it is taken out.
            if let ring, options == ring.options { ring.complete(picture.key, try? accepted.get()) }
            let isFirstDamage = dispatcher.finish(picture.key, options, accepted)
            if case .failure(let error) = accepted {
                let level: Logger.Level = isFirstDamage ? .warning : .debug
                logger.log(level: level, "a frame is not used: \(error)", metadata: ["bus": published.bus])
                // A newer frame may be held by now.
                thread.wake()
            }
        }
    }

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

    /// Sends an event of a stream to the session; see ``CameraEvent``.
    func report(_ what: CameraEvent.What, of stream: UInt64?) {
        mailbox.tell(CameraEvent(stream: stream, what: what))
    }

    func publish(_ negotiation: Negotiation, of camera: CameraIdentity) {
        if published.snapshot.negotiation?.unmet != negotiation.unmet, !negotiation.unmet.isEmpty {
            logger.warning(
                "the driver did not grant all of the configuration: \(negotiation.unmet.joined(separator: "; "))"
            )
        }
        published.update { snapshot in
            snapshot.identity = camera
            snapshot.negotiation = negotiation
            snapshot.format = negotiation.granted.format
        }
    }

    func publishControls(_ change: (inout ControlStatus) -> Void) {
        published.update { snapshot in
            var status = snapshot.controls ?? ControlStatus()
            change(&status)
            snapshot.controls = status
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
