// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel

/// Detects settled exposure and white balance of one stream, on the camera's thread; frames are analysed on the encoding
/// threads, one at a time and only while a client waits for settled ones.
final class ExposureSettling {
    private let context: CameraContext
    private let device: any CaptureDevice
    /// Number of the stream.
    private let stream: UInt64
    /// Frame interval; zero if the driver does not report it.
    private let interval: Duration
    /// True while the first good frame is pending or a client waits for settled frames.
    private(set) var isAwaited = true
    /// Nil before the first good frame with a timestamp, which is known to be of this stream.
    private var detector: SettlingDetector?
    /// The frame being analysed; one at a time, so that a slow analysis skips frames instead of queueing them.
    private var pending: FrameKey?
    /// The newest frame analysed or being analysed.
    private var newest: FrameKey?
    /// Exposure state read when ``newest`` arrived; nil if the device does not report it.
    private var exposure: ExposureState?
    /// Reader of the exposure controls; nil until the device was queried for them.
    private var reader: ControlReader?

    /// Maximum time to read all exposure controls: frames wait meanwhile.
    private static let slow = Duration.milliseconds(10)
    /// Maximum time to enumerate the controls, once for each opening.
    static let slowToBegin = Duration.milliseconds(50)

    init(of device: any CaptureDevice, stream: UInt64, interval: Duration, _ context: CameraContext) {
        (self.device, self.stream, self.interval, self.context) = (device, stream, interval, context)
    }

    /// True once the stream has given a good frame with a timestamp.
    var hasBegun: Bool { detector != nil }

    /// Starts with the first good frame of the stream that has a timestamp.
    func begin(with stamp: FrameStamp) {
        guard detector == nil else { return }
        begin(
            SettlingDetector.Start(
                first: FrameKey(stream: stream, ordinal: stamp.ordinal),
                began: stamp.dequeued,
                earliest: nil,
                interval: interval,
                expected: context.published.warmth.settling.expected
            )
        )
    }

    /// Starts over after controls were set: earlier frames say nothing about the next ones.
    func restart() {
        guard hasBegun else { return }
        context.motion?.restart()
        let now = context.clock.now
        begin(SettlingDetector.Start(began: now, earliest: now, interval: interval))
    }

    private func begin(_ start: SettlingDetector.Start) {
        let end = start.began + context.published.warmth.settling.limit(interval: interval)
        detector = SettlingDetector(start)
        context.dispatcher.state.withLock { [stream] in $0.settling.begin(stream: stream, until: end) }
    }

    /// Records a stream that has ended before it settled.
    func end() {
        guard let detector, detector.hasSeenFirst, !detector.isSettled else { return }
        context.published.updateWarmth { $0.settling.addFailure() }
    }

    /// Reports to the session whether a client waits for settled frames, for its state.
    func show(isAwaited: Bool) {
        guard self.isAwaited != isAwaited else { return }
        self.isAwaited = isAwaited
        context.report(.settling(isAwaited: isAwaited), of: stream)
    }

    /// Adds the result of the last analysis.
    func takeAnalysis() {
        // A result of the previous stream does not apply; the analysis of this one may still run.
        guard let analysis = context.encoder.analyses.takeFinished(), analysis.key == pending else { return }
        pending = nil
        guard var detector else { return }
        let settledFrom = detector.add(analysis, exposure: exposure)
        self.detector = detector
        let isBlack = analysis.statistics?.emptiness.isBlack == true
        let (hasSeenChange, began) = (detector.hasSeenChange, detector.start.began)
        context.dispatcher.state.withLock { state in
            state.settling.record(
                at: analysis.stamp.dequeued,
                settledFrom: settledFrom,
                hasSeenChange: hasSeenChange,
                isBlackUntil: isBlack ? began + SettlingDetector.blackLimit : nil
            )
        }
        if let settledFrom { learn(from: detector, analysis, settledFrom) }
    }

    /// Records the settling time if the stream was tracked from its first frame.
    private func learn(from detector: SettlingDetector, _ analysis: FrameAnalysis, _ settledFrom: FrameKey) {
        guard let first = detector.start.first, detector.hasSeenFirst, let level = analysis.statistics else { return }
        context.published.updateWarmth { report in
            report.settling.add(
                frames: Int(analysis.key.ordinal - first.ordinal) + 1,
                time: max(.zero, analysis.stamp.dequeued - detector.start.began),
                isAtOnce: settledFrom == first,
                level: level
            )
        }
    }

    /// Starts an analysis of the held frame if a client needs it, and reports whether one waits for settled frames.
    ///
    /// `frame` returns the held frame if it is newer than the given one.
    func analyse(_ frame: (_ after: FrameKey?) -> Frame?) throws(DeviceError) {
        guard hasBegun else { return }
        let need = context.dispatcher.settlingNeed(at: context.clock.now)
        show(isAwaited: need.isAwaited)
        guard pending == nil, need.wantsAnalysis, let frame = frame(newest) else { return }
        (pending, newest) = (frame.key, frame.key)
        context.encoder.threads.analyse(frame, remembering: context.encoder.analyses) { [context] analysis in
            context.encoder.analyses.finish(analysis)
            context.thread.wake()
        }
        // The device is queried while the frame is analysed.
        try readExposure()
    }

    /// Reads the exposure controls, unless the device answers too slowly.
    private func readExposure() throws(DeviceError) {
        exposure = nil
        let clock = context.clock
        if reader == nil {
            let began = clock.now
            let made = try ControlReader(ExposureState.controls, of: device)
            reader = clock.now - began > Self.slowToBegin ? ControlReader() : made
        }
        guard let current = reader, !current.isEmpty else { return }
        let began = clock.now
        let state = ExposureState(values: try current.read())
        if clock.now - began > Self.slow { reader = ControlReader() } else { exposure = state }
    }
}
