// SPDX-License-Identifier: Apache-2.0
internal import TintypeImaging
internal import TintypeModel

/// What is known of exposure and white balance of the stream that runs, or ran last; in the hub, for all who wait.
struct SettleState: Sendable {
    /// Which stream; 0 before the first.
    private(set) var stream: UInt64 = 0
    /// The first frame that was settled; nil while that is not known.
    private(set) var settledFrom: FrameKey?
    /// Until then settling is waited for, and not longer.
    private(set) var end = MonotonicTime(nanoseconds: .max)
    /// Whether frames were looked at that tell of it.
    private(set) var isLookedAt = false
    /// The same of the stream before, for pictures that are still under way.
    private var before: (stream: UInt64, settledFrom: FrameKey?, isLookedAt: Bool)?
    /// How many more frames are looked at though no client waits for them.
    ///
    /// Where a client took a picture and it is not known whether that is settled, the next ones are looked at, so that
    /// it is known of them.
    var looksLeft = 0

    /// Whether the stream has given a good frame.
    var hasBegun: Bool { end < MonotonicTime(nanoseconds: .max) }

    /// As many frames as tell it if all is well, and some more.
    static let looksPerStill = 2 * SettleTracker.frames

    /// A stream has given its first good frame, or its controls were changed: nothing is known.
    mutating func begin(stream: UInt64, until end: MonotonicTime) {
        let last = self.stream == stream ? before : (self.stream, settledFrom, isLookedAt)
        self = SettleState()
        self.stream = stream
        self.end = end
        before = last
    }

    /// A frame was looked at that came at `moment`, and all from `key` on were found to be settled, if it is given.
    ///
    /// A camera that runs for longer than settling may take is not called unsettled before something has changed. Where
    /// the frame `isBlackUntil` a moment at which that is believed, settling is waited for until then at least.
    mutating func record(
        at moment: MonotonicTime,
        settledFrom key: FrameKey?,
        hasSeenChange: Bool,
        isBlackUntil blackEnd: MonotonicTime? = nil
    ) {
        if let blackEnd, moment < end { end = max(end, blackEnd) }
        if moment < end || hasSeenChange { isLookedAt = true }
        if looksLeft > 0 { looksLeft -= 1 }
        if settledFrom == nil { settledFrom = key }
        if settledFrom != nil { looksLeft = 0 }
    }

    /// Whether exposure and white balance had settled at a frame; nil where that was not looked at.
    func isSettled(_ key: FrameKey) -> Bool? {
        if key.stream == stream { return Self.isSettled(key, settledFrom, isLookedAt) }
        guard let before, key.stream == before.stream else { return nil }
        return Self.isSettled(key, before.settledFrom, before.isLookedAt)
    }

    private static func isSettled(_ key: FrameKey, _ settledFrom: FrameKey?, _ isLookedAt: Bool) -> Bool? {
        settledFrom.map { key >= $0 } ?? (isLookedAt ? false : nil)
    }

    /// Whether a frame does for a client, as far as settling goes.
    func isGoodEnough(_ key: FrameKey, for wish: FrameWish, at now: MonotonicTime) -> Bool {
        guard wish.settle != .never, isSettled(key) != true else { return true }
        return wish.settle == .auto && now >= limit(of: wish)
    }

    /// Until when a client waits for settling; nil for as long as it takes.
    func limit(of wish: FrameWish) -> MonotonicTime { min(wish.settleBy, end) }

    /// Whether a client waits for settling.
    func isAwaited(by wish: FrameWish, at now: MonotonicTime) -> Bool {
        guard settledFrom == nil, wish.settle != .never else { return false }
        return wish.settle == .always || now < limit(of: wish)
    }
}

/// What is learned of one camera: how many frames and how much time it needs to settle after a start.
///
/// Kept as long as the daemon runs.
struct SettleHistory: Sendable {
    /// The most starts that are remembered.
    static let length = 64
    /// After so many starts in a row that were settled from their first frame on, that is expected of the next one.
    static let startsToTrust = 3
    /// How long settling may take where nothing is known of the camera.
    static let usualLimit = Duration.seconds(3)
    /// Less is not waited for, however fast the camera was before.
    static let leastLimit = Duration.seconds(1)

    private var starts: [(frames: Int, time: Duration)] = []
    /// Starts in a row that were settled from their first frame on.
    private var startsAtOnce = 0
    /// What the camera showed when it had settled the last time that several frames were needed to tell.
    private var level: FrameStatistics?

    /// Adds a start that was known to have settled with its `frames`-th frame, `time` after the first.
    ///
    /// `isAtOnce` says that the first was settled already, `level` what the camera shows now.
    mutating func add(frames: Int, time: Duration, isAtOnce: Bool, level: FrameStatistics) {
        starts.append((frames, time))
        if starts.count > Self.length { starts.removeFirst() }
        startsAtOnce = isAtOnce ? startsAtOnce + 1 : 0
        // One frame alone that was as expected must not move what is expected, step by step.
        if frames > 1 || self.level == nil { self.level = level }
    }

    /// Adds a start that has not settled in time.
    mutating func addFailure() { startsAtOnce = 0 }

    /// What a first frame has to show to be taken as settled at once; nil where several have to be looked at.
    var expected: FrameStatistics? { startsAtOnce >= Self.startsToTrust ? level : nil }

    /// How long after the first frame of a start settling may take: twice what it took at worst, and time enough for the
    /// frames that are needed in any case.
    func limit(interval: Duration) -> Duration {
        let needed = interval * (SettleTracker.frames + 1)
        guard starts.count >= Self.startsToTrust, let worst = starts.map(\.time).max() else {
            return max(Self.usualLimit, needed)
        }
        return max(min(max(worst * 2, Self.leastLimit), Self.usualLimit), needed)
    }

    /// Medians and the worst; nil until something was measured.
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
