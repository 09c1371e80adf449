// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel

/// Detects settled exposure and white balance of one stream, on the camera's thread, while a client waits for it.
final class ExposureSettling {
    private let context: CameraContext
    private let device: any CaptureDevice
    private let stream: UInt64
    private let interval: Duration
    private(set) var isAwaited = true
    /// Nil before the first good frame with a timestamp, which is known to be of this stream.
    private var detector: SettlingDetector?
    /// The frame being analysed; one at a time, so that a slow analysis skips frames instead of queueing them.
    private var pending: FrameKey?
    private var newest: FrameKey?
    /// Exposure state read when ``newest`` arrived; nil if the device does not report it.
    private var exposure: ExposureState?
    private var reader: ControlReader?

    /// Maximum time to read all exposure controls: frames wait meanwhile.
    private static let slow = Duration.milliseconds(10)
    /// Maximum time to enumerate the controls, once for each opening.
    static let slowToBegin = Duration.milliseconds(50)

    init(of device: any CaptureDevice, stream: UInt64, interval: Duration, _ context: CameraContext) {
        (self.device, self.stream, self.interval, self.context) = (device, stream, interval, context)
    }

    var hasBegun: Bool { detector != nil }

    func begin(with stamp: FrameStamp) {
        guard detector == nil else { return }
        let expected = context.published.warmth.settling.expected
        begin(SettlingDetector.Start(first: stamp.key, began: stamp.dequeued, interval: interval, expected: expected))
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

    /// True if there was one, by which a frame may be good enough that was not.
    func takeAnalysis() -> Bool {
        // A result of the previous stream does not apply; the analysis of this one may still run.
        guard let analysis = context.encoder.analyses.takeFinished(), analysis.key == pending else { return false }
        pending = nil
        guard var detector else { return false }
        let first = detector.add(analysis, exposure: exposure)
        self.detector = detector
        let isBlack = analysis.statistics?.emptiness.isBlack == true
        let blackEnd = isBlack ? detector.start.began + SettlingDetector.blackLimit : nil
        let (moment, isChanged) = (analysis.stamp.dequeued, detector.hasSeenChange)
        context.dispatcher.state.withLock { state in
            state.settling.record(at: moment, settledFrom: first, hasSeenChange: isChanged, isBlackUntil: blackEnd)
        }
        if let first { learn(from: detector, analysis, first) }
        return true
    }

    private func learn(from detector: SettlingDetector, _ analysis: FrameAnalysis, _ settledFrom: FrameKey) {
        guard let first = detector.start.first, detector.hasSeenFirst, let level = analysis.statistics else { return }
        let frames = Int(analysis.key.ordinal - first.ordinal) + 1
        let time = max(.zero, analysis.stamp.dequeued - detector.start.began)
        context.published.updateWarmth { report in
            report.settling.add(frames: frames, time: time, isAtOnce: settledFrom == first, level: level)
        }
    }

    /// Starts an analysis if a client needs it; `frame` returns the held frame if it is newer than the given one.
    func analyse(_ frame: (_ after: FrameKey?) -> Frame?) throws(DeviceError) {
        guard hasBegun else { return }
        let need = context.dispatcher.settlingNeed(at: context.clock.now)
        show(isAwaited: need.isAwaited)
        guard pending == nil, need.wantsAnalysis, let frame = frame(newest) else { return }
        (pending, newest) = (frame.key, frame.key)
        context.encoder.threads.submit(for: frame) { [context, cache = context.encoder.analyses] codecs in
            cache.finish(codecs.analyse(frame, remembering: cache))
            context.thread.wake()
        }
        // The device is queried while the frame is analysed.
        try readExposure()
    }

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

/// Detects settled exposure and white balance: several consecutive frames with equal contents and reported exposure.
struct SettlingDetector {
    struct Start {
        /// The first good frame of the stream; nil after a change of controls in mid-stream.
        var first: FrameKey?
        var began: MonotonicTime
        /// Ignores frames exposed before this time; nil to use all.
        var earliest: MonotonicTime?
        var interval: Duration
        /// Expected levels of a settled first frame, if the last starts settled from the first frame.
        var expected: FrameStatistics?
    }

    private struct Step {
        let key: FrameKey
        let statistics: FrameStatistics
        let exposure: ExposureState?
    }

    let start: Start
    /// Consecutive frames without a difference, oldest first.
    private var steady: [Step] = []
    /// True if the first frame of the stream was analysed, so the settling time is known.
    private(set) var hasSeenFirst = false
    private(set) var hasSeenChange = false
    private(set) var isSettled = false

    /// Maximum difference of the whole picture that counts as equal, of 255.
    static let tolerance = 1.0
    /// Number of equal frames required; cameras change their exposure every third or fourth, so fewer prove nothing.
    static let frames = 5
    static let framesOfSlow = (count: 3, interval: Duration.milliseconds(100))
    /// Number of equal frames required if the device reports manual exposure and white balance.
    static let framesOfManual = 2
    /// Time before which a uniform frame is not believed: many cameras start with such frames.
    static let uniformLimit = Duration.seconds(1)
    /// Time before which a black frame is not believed: USB cameras deliver them for a second or two.
    static let blackLimit = Duration.seconds(3)
    /// Tolerance of a first frame: relative luma difference, and chroma difference of 255.
    private static let expectedShare = 0.1
    private static let expectedChroma = 6.0

    init(_ start: Start) { self.start = start }

    /// Adds the analysis of a frame, in capture order; returns the first settled frame, nil while unknown.
    mutating func add(_ analysis: FrameAnalysis, exposure: ExposureState?) -> FrameKey? {
        let first = follow(analysis, exposure)
        if first != nil { isSettled = true }
        return first
    }

    private mutating func follow(_ analysis: FrameAnalysis, _ exposure: ExposureState?) -> FrameKey? {
        if let earliest = start.earliest, analysis.stamp.exposureStart < earliest { return nil }
        guard let statistics = analysis.statistics else { return nil }
        if analysis.key == start.first { hasSeenFirst = true }
        let step = Step(key: analysis.key, statistics: statistics, exposure: exposure)
        if let last = steady.lastIndex(where: { Self.differ($0, step) }) {
            steady.removeFirst(last + 1)
            hasSeenChange = true
        }
        steady.append(step)
        let emptiness = statistics.emptiness
        let isEmpty = emptiness.isBlack || emptiness.isUniform
        if analysis.key == start.first, !isEmpty, isExpected(statistics) { return analysis.key }
        guard steady.count >= needed(exposure) else { return nil }
        if steady.count > Self.frames { steady.removeFirst() }
        let limit = emptiness.isBlack ? Self.blackLimit : isEmpty ? Self.uniformLimit : .zero
        guard analysis.stamp.dequeued - start.began >= limit else { return nil }
        return steady[0].key
    }

    private func needed(_ exposure: ExposureState?) -> Int {
        if exposure?.isManual ?? false { return Self.framesOfManual }
        return start.interval > Self.framesOfSlow.interval ? Self.framesOfSlow.count : Self.frames
    }

    private func isExpected(_ statistics: FrameStatistics) -> Bool {
        guard let expected = start.expected else { return false }
        return abs(statistics.meanLuma - expected.meanLuma) <= Self.expectedShare * expected.meanLuma
            && abs(statistics.meanCb - expected.meanCb) <= Self.expectedChroma
            && abs(statistics.meanCr - expected.meanCr) <= Self.expectedChroma
    }

    private static func differ(_ old: Step, _ new: Step) -> Bool {
        if let before = old.exposure, let after = new.exposure, before != after { return true }
        guard let shift = new.statistics.shift(from: old.statistics) else { return true }
        return shift > tolerance
    }
}
