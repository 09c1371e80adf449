// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel

/// Detects settled exposure and white balance: several consecutive frames of one stream do not differ in their contents
/// and in the exposure that the device reports.
struct SettlingDetector {
    struct Start {
        /// The first good frame of the stream; nil after a change of controls in mid-stream.
        var first: FrameKey?
        /// Time of that frame, or of the change of controls.
        var began: MonotonicTime
        /// Ignores frames exposed before this time; nil to use all.
        var earliest: MonotonicTime?
        var interval: Duration
        /// Expected levels of a settled first frame, if the last starts settled from the first frame.
        var expected: FrameStatistics?
    }

    /// A frame, and the exposure that the device reported after it.
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
    /// True if a frame differed from an earlier one.
    private(set) var hasSeenChange = false
    private(set) var isSettled = false

    /// Maximum difference of the whole picture that counts as equal, of 255.
    static let tolerance = 1.0
    /// Number of equal frames required; cameras change their exposure every third or fourth, so fewer prove nothing.
    static let frames = 5
    /// Number of equal frames required for frame intervals longer than this.
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
