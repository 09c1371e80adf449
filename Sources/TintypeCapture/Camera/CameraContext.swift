// SPDX-License-Identifier: Apache-2.0
internal import CoreMetrics
internal import Logging
internal import Synchronization
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel
internal import TintypeSystem

/// What a session and its camera's thread share; any thread.
final class CameraContext: Sendable {
    /// The camera's name.
    let name: String
    /// Where its frames are handed out, and its state is published.
    let hub: FrameHub
    let encoding: EncodingThreads
    /// Its past, if it keeps any.
    let ring: FrameRing?
    /// What watches it for motion; nil for nothing.
    let motion: MotionWatch?
    let logger: Logger
    /// By which it goes.
    let clock: any MonotonicClock
    /// The driver call that its thread is in.
    let calls: DriverCalls
    /// What its pictures always have wrong.
    let quirks: QuirkMemory
    /// The frames that were looked at last.
    let looks = RecentLooks()
    /// Gets what happens as events.
    let tell: EventSink
    let open: CaptureSession.Opener
    /// Whether it was told that the driver call hangs that the thread is in.
    private let isKnownStuck = Atomic(false)

    init(
        name: String,
        hub: FrameHub,
        encoding: EncodingThreads,
        ring: FrameRing?,
        motion: MotionSettings?,
        logger: Logger,
        clock: any MonotonicClock,
        tell: @escaping EventSink,
        open: @escaping CaptureSession.Opener
    ) {
        self.name = name
        self.hub = hub
        self.encoding = encoding
        self.ring = ring
        self.motion = motion.map { MotionWatch($0, camera: name, clock: clock, tell: tell) }
        self.logger = logger
        self.clock = clock
        quirks = QuirkMemory(clock: clock)
        let timers = DriverCalls.Call.allCases.map { call in
            Timer(label: MetricName.driverCall.rawValue, dimensions: [("camera", name), ("call", call.name)])
        }
        calls = DriverCalls(clock: clock, camera: name) { call, time in
            timers[call.index].recordNanoseconds(time.nanosecondCount)
        }
        self.tell = tell
        self.open = open
    }

    /// Wakes the camera's thread.
    var thread: ThreadWakeup { hub.thread }
    /// What waits for the session.
    var inbox: SessionInbox { hub.inbox }

    // MARK: - Driver calls that hang

    /// The problem while a driver call has run for longer than `limit`; nil while none has.
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

    /// The same for a client that gets it in place of what it waits for.
    ///
    /// The first tells of it in the log and as an event, as the camera's own thread cannot.
    func stuckProblem(after limit: Duration) -> Problem? {
        guard let problem = stuckCall(after: limit) else { return nil }
        guard !isKnownStuck.load(ordering: .relaxed) else { return problem }
        // Before the flag: whoever sees that tells of the return.
        hub.showStuck(problem)
        if !isKnownStuck.exchange(true, ordering: .relaxed) {
            logger.warning(
                "\(problem.detail)",
                metadata: [
                    "bus": hub.bus, "code": "\(problem.code.rawValue)", "state": "\(SessionState.Name.failed.rawValue)",
                    MessageID.key: "\(MessageID.driverStuck)",
                ]
            )
        }
        // It may have returned meanwhile, and the thread may be asleep.
        if stuckCall(after: limit) == nil { reportReturn() }
        return problem
    }

    /// The camera's thread runs, so that no driver call hangs any more.
    func reportReturn() {
        guard isKnownStuck.load(ordering: .relaxed), isKnownStuck.exchange(false, ordering: .relaxed) else { return }
        logger.notice("the driver answers again", metadata: ["bus": hub.bus])
        hub.showReturn()
    }

    // MARK: - Frames

    /// Has a picture made of a frame, for all who wait for it; returns at once, or after a short copy where `mayCopyHere`.
    func encode(_ picture: CapturedPicture, as rendition: Rendition, mayCopyHere: Bool = false) {
        let moment = picture.stamp.exposureStart
        let facts: @Sendable () -> CameraFacts = { [hub] in hub.facts(at: moment) }
        encoding.render(
            picture,
            as: rendition,
            remembering: looks,
            describing: facts,
            mayCopyHere: mayCopyHere
        ) { [self] rendered in
            let accepted = rendered.flatMap { frame -> Result<Frame, ImagingError> in
                rendition.standard.rejection(of: frame.appearance).map { .failure(.rejected($0)) } ?? .success(frame)
            }
            // The ring's pictures are no stills yet: each that is taken out is given a name of its own then.
            if let ring = ring, rendition == ring.rendition {
                let frame = try? accepted.get()
                ring.complete(picture.key, frame?.picture, took: frame?.encodeTime ?? .zero)
            }
            let isFirstDamage = hub.finish(picture.key, rendition, accepted)
            if case .failure(let error) = accepted {
                let level: Logger.Level = isFirstDamage ? .warning : .debug
                logger.log(level: level, "a frame is not used: \(error)", metadata: ["bus": hub.bus])
                // A newer one may be held by now.
                thread.wake()
            }
        }
    }

    // MARK: - What is published

    /// The first good frame after an interruption for the largest size has come, or the camera is closed before there is
    /// one; nothing happens where none goes on.
    func endGap(at moment: MonotonicTime) {
        guard let gap = hub.endGap(at: moment) else { return }
        logger.notice(
            "the stream was interrupted for a still of the largest size",
            metadata: ["gap": "\(HumanDuration.text(gap))"]
        )
    }

    /// Changes what is published of the controls.
    func publishControls(_ change: (inout ControlStatus) -> Void) {
        hub.update { snapshot in
            var status = snapshot.controls ?? ControlStatus()
            change(&status)
            snapshot.controls = status
        }
    }
}

/// What a camera's thread tells its session of a stream.
struct CameraEvent: Sendable {
    enum What: Sendable {
        /// The first good frame has come, at this moment, of a stream that did not follow another at once.
        case firstFrame(MonotonicTime, isFromOff: Bool)
        /// The first good frame has come that has a time, so that it is known to be of this stream.
        case firstTimedFrame
        /// A client waits for settled frames, or none does any more.
        case settling(isAwaited: Bool)
        /// The device has failed and is closed; clients may be left waiting.
        case failed(DeviceError, keepsDemands: Bool)
        /// The source has changed, or may have, and the device is closed for it.
        case sourceChanged
        /// The machine was suspended for so long, and the device is closed for it.
        case suspended(Duration)
    }

    /// The number of the stream; nil for a device without one, whose signal is awaited.
    let stream: UInt64?
    let what: What

    /// Whether it tells of good frames.
    var isProgress: Bool {
        switch what {
        case .firstFrame, .firstTimedFrame: true
        case .settling, .failed, .sourceChanged, .suspended: false
        }
    }
}
