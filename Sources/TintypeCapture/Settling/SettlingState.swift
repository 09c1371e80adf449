// SPDX-License-Identifier: Apache-2.0
internal import TintypeImaging
internal import TintypeModel

/// Settling of exposure and white balance of the current or last stream, for all clients of the dispatcher.
struct SettlingState: Sendable {
    private struct Stream {
        /// 0 before the first stream.
        var number: UInt64 = 0
        /// The first settled frame; nil while unknown.
        var settledFrom: FrameKey?
        var isLookedAt = false
    }

    private var current = Stream()
    /// End of waiting for settled frames with `auto` policy.
    private(set) var end = MonotonicTime.distantFuture
    /// The previous stream, for frames still being encoded.
    private var before: Stream?
    /// Number of frames to analyse without a waiting client, after a picture not known to be settled was taken.
    private(set) var analysesLeft = 0

    var settledFrom: FrameKey? { current.settledFrom }
    var hasBegun: Bool { end < MonotonicTime.distantFuture }

    static let analysesPerStill = 2 * SettlingDetector.frames

    /// Starts over, after the first good frame of a stream or a change of controls.
    mutating func begin(stream: UInt64, until end: MonotonicTime) {
        let last = current.number == stream ? before : current
        self = SettlingState()
        (current.number, self.end, before) = (stream, end, last)
    }

    /// Frames from `key` on are settled, unless nil.
    ///
    /// A camera that has run for longer than settling may take is not unsettled before a change is seen. A black frame
    /// is believed only after `blackEnd`.
    mutating func record(
        at moment: MonotonicTime,
        settledFrom key: FrameKey?,
        hasSeenChange: Bool,
        isBlackUntil blackEnd: MonotonicTime? = nil
    ) {
        if let blackEnd, moment < end { end = max(end, blackEnd) }
        if moment < end || hasSeenChange { current.isLookedAt = true }
        if analysesLeft > 0 { analysesLeft -= 1 }
        if settledFrom == nil { current.settledFrom = key }
        if settledFrom != nil { analysesLeft = 0 }
    }

    /// True if exposure and white balance had settled at a frame; nil if that was not analysed.
    func isSettled(_ key: FrameKey) -> Bool? {
        let stream: Stream? =
            if key.stream == current.number { current } else if key.stream == before?.number { before } else { nil }
        guard let stream else { return nil }
        return stream.settledFrom.map { key >= $0 } ?? (stream.isLookedAt ? false : nil)
    }

    mutating func requestAnalyses(of key: FrameKey, for criteria: FrameCriteria) {
        if criteria.settle != .never, isSettled(key) != true { analysesLeft = Self.analysesPerStill }
    }

    func isGoodEnough(_ key: FrameKey, for criteria: FrameCriteria, at now: MonotonicTime) -> Bool {
        guard criteria.settle != .never, isSettled(key) != true else { return true }
        return criteria.settle == .auto && now >= limit(of: criteria)
    }

    /// Time until which a client with `auto` policy waits for settled frames.
    func limit(of criteria: FrameCriteria) -> MonotonicTime { min(criteria.settleBy, end) }

    func isAwaited(by criteria: FrameCriteria, at now: MonotonicTime) -> Bool {
        guard settledFrom == nil, criteria.settle != .never else { return false }
        return criteria.settle == .always || now < limit(of: criteria)
    }
}

/// Measured settling of one camera, in frames and time after a start; kept for the life of the daemon.
struct SettlingHistory: Sendable {
    static let length = 64
    /// Number of consecutive starts settled from the first frame, after which the next one is expected to be.
    static let startsToTrust = 3
    static let usualLimit = Duration.seconds(3)
    static let leastLimit = Duration.seconds(1)

    private var starts: [(frames: Int, time: Duration)] = []
    private var startsAtOnce = 0
    /// Picture levels of the last settled start that took several frames to detect.
    private var level: FrameStatistics?

    /// Adds a start settled at its `frames`-th frame, `time` after the first; `isAtOnce`: from the first frame on.
    mutating func add(frames: Int, time: Duration, isAtOnce: Bool, level: FrameStatistics) {
        starts.append((frames, time))
        if starts.count > Self.length { starts.removeFirst() }
        startsAtOnce = isAtOnce ? startsAtOnce + 1 : 0
        // A single frame that met the expectation must not shift it step by step.
        if frames > 1 || self.level == nil { self.level = level }
    }

    mutating func addFailure() { startsAtOnce = 0 }

    /// Levels for accepting a first frame as settled; nil if several frames must be analysed.
    var expected: FrameStatistics? { startsAtOnce >= Self.startsToTrust ? level : nil }

    /// Time limit after the first frame: twice the worst measured time, and at least the frames required in any case.
    func limit(interval: Duration) -> Duration {
        let needed = interval * (SettlingDetector.frames + 1)
        guard starts.count >= Self.startsToTrust, let worst = starts.map(\.time).max() else {
            return max(Self.usualLimit, needed)
        }
        return max(min(max(worst * 2, Self.leastLimit), Self.usualLimit), needed)
    }

    var summary: CameraLatency.Settling? {
        let (frames, times) = (starts.map(\.frames).sorted(), starts.map(\.time).sorted())
        guard let mostFrames = frames.last, let longest = times.last else { return nil }
        let middle = (times.count - 1) / 2
        return CameraLatency.Settling(
            count: times.count,
            medianMs: Milliseconds(times[middle]),
            worstMs: Milliseconds(longest),
            medianFrames: frames[middle],
            worstFrames: mostFrames
        )
    }
}

struct SettlingNeed: Hashable {
    var isAwaited = false
    var wantsAnalysis = false
    var limit: MonotonicTime?
}
