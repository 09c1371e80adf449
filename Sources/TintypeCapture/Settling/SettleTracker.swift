// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel

/// Tells from the frames of one stream when exposure and white balance have settled: when several in a row do not differ,
/// in what they show and in what the device says of its exposure.
struct SettleTracker {
    /// What it follows.
    struct Start {
        /// The first good frame of the stream; nil where controls were changed in mid-stream.
        var first: FrameKey?
        /// When that frame came, or when the controls were changed.
        var began: MonotonicTime
        /// What was exposed before this moment says nothing; nil where all counts.
        var earliest: MonotonicTime?
        /// The time between two frames.
        var interval: Duration
        /// What the camera shows once it has settled, where it did so from the first frame on whenever it was started
        /// lately.
        var expected: FrameStatistics?
    }

    /// A frame, and what the device said of its exposure when the frame had come.
    private struct Step {
        let key: FrameKey
        let statistics: FrameStatistics
        let exposure: ExposureState?
    }

    let start: Start
    /// The frames in a row that do not differ, oldest first.
    private var steady: [Step] = []
    /// Whether the first frame of the stream was looked at, so that it is known how long settling took.
    private(set) var hasSeenFirst = false
    /// Whether a frame was different from one before it.
    private(set) var hasSeenChange = false
    /// Whether it has told that they have settled.
    private(set) var isSettled = false

    /// A difference of the whole picture from which on it counts, in steps of 255.
    static let tolerance = 1.0
    /// Cameras change their exposure every third or fourth frame, so that fewer equal ones say nothing.
    static let frames = 5
    /// The same for a camera whose frames are further apart than this.
    static let framesOfSlow = (count: 3, interval: Duration.milliseconds(100))
    /// The same for one that says that it leaves exposure and white balance alone.
    static let framesOfManual = 2
    /// Many cameras begin with frames of one tone: such are believed only after this time.
    static let uniformLimit = Duration.seconds(1)
    /// And so are black ones, with which USB cameras begin for a second or two.
    static let blackLimit = Duration.seconds(3)
    /// By how much a first frame may differ from what is expected of it: a share of the luma, steps of chroma.
    private static let expectedShare = 0.1
    private static let expectedChroma = 6.0

    init(_ start: Start) { self.start = start }

    /// Adds a look at a frame that came after all before it.
    ///
    /// - Returns: from which frame on they are settled; nil while that is not known.
    mutating func add(_ look: FrameLook, exposure: ExposureState?) -> FrameKey? {
        let first = follow(look, exposure)
        if first != nil { isSettled = true }
        return first
    }

    private mutating func follow(_ look: FrameLook, _ exposure: ExposureState?) -> FrameKey? {
        if let earliest = start.earliest, look.stamp.exposureStart < earliest { return nil }
        guard let statistics = look.statistics else { return nil }
        if look.key == start.first { hasSeenFirst = true }
        let step = Step(key: look.key, statistics: statistics, exposure: exposure)
        if let last = steady.lastIndex(where: { Self.differ($0, step) }) {
            steady.removeFirst(last + 1)
            hasSeenChange = true
        }
        steady.append(step)
        let isEmpty = statistics.isBlack || statistics.isUniform
        if look.key == start.first, !isEmpty, isExpected(statistics) { return look.key }
        guard steady.count >= needed(exposure) else { return nil }
        if steady.count > Self.frames { steady.removeFirst() }
        let limit = statistics.isBlack ? Self.blackLimit : isEmpty ? Self.uniformLimit : .zero
        guard look.stamp.dequeued - start.began >= limit else { return nil }
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
