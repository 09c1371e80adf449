// SPDX-License-Identifier: Apache-2.0
internal import TintypeImaging
internal import TintypeModel

/// What is learned of one camera: how many frames and how much time it needs to settle after a start.
///
/// Kept as long as the daemon runs.
struct SettleHistory: Sendable {
    /// The most starts that are remembered.
    static let length = 64
    /// After so many starts in a row that were settled from their first frame on, that is expected of the next one.
    static let startsToTrust = 3
    /// How long settling may take where nothing is known of the camera.
    static let usualPatience = Duration.seconds(3)
    /// Less is not waited for, however fast the camera was before.
    static let leastPatience = Duration.seconds(1)

    private var starts: [(frames: Int, time: Duration)] = []
    private var next = 0
    /// Starts in a row that were settled from their first frame on.
    private var startsAtOnce = 0
    /// What the camera showed when it had settled the last time that several frames were needed to tell.
    private var level: FrameStatistics?

    /// Adds a start that has settled.
    ///
    /// - Parameters:
    ///   - frames: how many frames came until it was known, the last one counted.
    ///   - time: how long after the first of them it was known.
    ///   - isAtOnce: whether they were settled from the first on.
    ///   - level: what the camera shows now.
    mutating func add(frames: Int, time: Duration, isAtOnce: Bool, level: FrameStatistics) {
        if starts.count < Self.length { starts.append((frames, time)) } else { starts[next] = (frames, time) }
        next = (next + 1) % Self.length
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
    func patience(interval: Duration) -> Duration {
        let needed = interval * (SettleTracker.frames + 1)
        guard starts.count >= Self.startsToTrust, let worst = starts.map(\.time).max() else {
            return max(Self.usualPatience, needed)
        }
        return max(min(max(worst * 2, Self.leastPatience), Self.usualPatience), needed)
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
