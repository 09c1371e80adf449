// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
internal import TintypeImaging
package import TintypeModel

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
    /// Many cameras begin with frames that are black or of one tone: such are believed only after this time.
    static let emptyPatience = Duration.seconds(1)
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
        guard !isEmpty || look.stamp.dequeued - start.began >= Self.emptyPatience else { return nil }
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

/// What came of a look at a frame.
struct FrameLook: Sendable {
    /// Which frame.
    let key: FrameKey
    /// When it was taken.
    let stamp: FrameStamp
    /// What it shows; nil if its bytes are no picture.
    let statistics: FrameStatistics?
}

/// The frames of one camera that were looked at last, to compare the next one with.
///
/// Any thread; never blocks.
package final class RecentLooks: Sendable {
    /// What is remembered of a frame.
    struct Look: Sendable {
        let key: FrameKey
        /// Stands for its bytes, as the driver delivered them.
        let digest: UInt64
        /// Whether it shows anything; nil where that cannot be told.
        var emptiness: Emptiness?
    }

    /// More than encoding threads have in their hands at once: they need not finish in order.
    private static let length = 8

    private let looks = Mutex<[Look]>([])
    private let total = Atomic(0)
    private let finished = Mutex<FrameLook?>(nil)

    /// Nothing was looked at yet.
    package init() {}

    /// How many frames were looked at in all.
    var count: Int { total.load(ordering: .relaxed) }

    /// Lays down what came of the look that the session has asked for.
    func finish(_ look: FrameLook) { finished.withLock { $0 = look } }

    /// Takes that up; nil if there is nothing new.
    func takeFinished() -> FrameLook? { finished.withLock { $0.take() } }

    /// What is remembered of a frame; nil if it was not looked at lately.
    func look(at key: FrameKey) -> Look? { looks.withLock { looks in looks.first { $0.key == key } } }

    /// Remembers a frame.
    ///
    /// - Returns: whether it equals the one before it that was looked at; nil where there is none.
    @discardableResult
    func record(_ look: Look) -> Bool? {
        looks.withLock { looks in
            let before = looks.last { $0.key < look.key }
            if let index = looks.firstIndex(where: { $0.key == look.key }) {
                looks[index] = look
            } else {
                total.add(1, ordering: .relaxed)
                looks.insert(look, at: looks.firstIndex { look.key < $0.key } ?? looks.endIndex)
                if looks.count > Self.length { looks.removeFirst() }
            }
            return before.map { $0.digest == look.digest }
        }
    }
}

/// Counts what pictures show, by their luma.
package struct LumaStatistics: Sendable {
    private var histogram = LumaHistogram()
    private var last: [UInt8]?
    /// What there is to say of the pictures so far.
    package private(set) var tally = PictureTally()

    /// No picture yet.
    package init() {}

    /// Adds one picture, a byte a pixel; keeps it until the next one, to compare the two.
    package mutating func add(_ luma: [UInt8]) {
        histogram.add(luma)
        if let last, last != luma { tally.changed += 1 }
        last = luma
        tally.examined += 1
        tally.meanLuma = histogram.mean.map { ($0 * 10).rounded() / 10 }
        (tally.darkest, tally.brightest) = (histogram.darkest, histogram.brightest)
    }

    /// Adds one that was no picture.
    package mutating func addCorrupt() { tally.corrupt += 1 }
}
