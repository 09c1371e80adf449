// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel

/// Configured limit of a camera's silence, between two frames or before the first frame of a stream.
package enum SilenceLimit: Hashable, Sendable {
    /// Derived from frame interval and exposure, and learned (``CameraPace``).
    case auto
    /// In place of all that is derived or learned; within ``HumanDuration/usualRange``.
    case fixed(Duration)
    case off

    /// Parses `auto`, `off` or a duration such as `60s`.
    package init?(_ text: String) {
        switch text {
        case "auto": self = .auto
        case "off": self = .off
        default:
            guard let time = HumanDuration.parse(text), HumanDuration.usualRange.contains(time) else { return nil }
            self = .fixed(time)
        }
    }

    /// Nil for ``auto``; longer than any time for ``off``.
    var duration: Duration? {
        switch self {
        case .auto: nil
        case .fixed(let limit): limit
        case .off: .seconds(Int64.max)
        }
    }
}

struct FrameLimits: Hashable {
    /// Longest silence, which is also the maximum age of a `latest` frame: ``StallRule/limit``.
    var silence = CameraPace.least
    /// ``silence`` without trials: as configured, or by interval, exposure and measured pace.
    var expectedSilence = CameraPace.least
    /// Longest time from the driver's timestamp of a `next` frame until its dequeue.
    var queue = CameraPace.least
    var first = CameraPace.least

    /// Time by which the longest silence, before or between frames, exceeds the usual limit; none for `off`.
    func extraWait(_ configuration: SessionConfiguration) -> Duration {
        func limit(_ configured: SilenceLimit, _ learned: Duration) -> Duration {
            configured == .off ? CameraPace.least : configured.duration ?? learned
        }
        let isOff = configuration.stall == .off && configuration.firstFrame == .auto
        let firstFrame = limit(isOff ? .off : configuration.firstFrame, first)
        return max(CameraPace.least, limit(configuration.stall, silence), firstFrame) - CameraPace.least
    }
}

/// Detects silence and runs of damaged frames that count as a device failure.
struct StallRule: Hashable {
    enum Finding { case silent, damaged }

    private let stall: SilenceLimit
    private let firstFrame: SilenceLimit
    private(set) var pace: CameraPace
    /// Limit by interval and exposure alone.
    private var derived: Duration
    private(set) var awaitsFirstFrame = true
    private(set) var lastArrival: MonotonicTime
    /// Time of the last frame without faults reported by the driver.
    private(set) var lastGood: MonotonicTime
    /// Number of arrivals in the current run of damaged frames, and the time of the first one.
    private var damaged = 0
    private var damagedSince: MonotonicTime

    /// Damaged frames are tolerated for longer than silence, since reopening a camera is slow.
    private static let damageFactor = 3
    /// Fewer may be all that a trigger from outside has given in hours.
    private static let shortestRun = 5

    /// Begins a stream at `now`; `pace` is that of the camera's streams before.
    init(
        stall: SilenceLimit = .auto,
        firstFrame: SilenceLimit = .auto,
        pace: CameraPace = CameraPace(),
        interval: Duration?,
        exposure: Duration?,
        now: MonotonicTime
    ) {
        (self.stall, self.firstFrame, self.pace) = (stall, firstFrame, pace)
        derived = Self.limit(interval, exposure: exposure)
        (lastArrival, lastGood, damagedSince) = (now, now, now)
        self.pace.beginStream()
    }

    /// Ten frame intervals, or three exposures plus the 2 s that a driver may take to start, at least 2 s.
    static func limit(_ interval: Duration?, exposure: Duration?) -> Duration {
        max(CameraPace.least, (interval ?? .zero) * 10, exposure.map { $0 * 3 + .seconds(2) } ?? .zero)
    }

    /// Silence for longer than this is a stall; also the maximum age of a `latest` frame.
    var limit: Duration { stall.duration ?? usualLimit }
    var limits: FrameLimits {
        let expected = stall.duration ?? max(derived, pace.measured)
        return FrameLimits(silence: limit, expectedSilence: expected, queue: queueLimit, first: firstLimit)
    }
    /// Two intervals allow for a timestamp at the start of the exposure; those of a trigger say nothing about it.
    private var queueLimit: Duration { stall == .off ? derived : max(derived, pace.longest * 2) }
    private var usualLimit: Duration { max(derived, pace.limit) }
    private var firstLimit: Duration { firstFrame.duration ?? max(stall.duration ?? derived, pace.first) }

    /// True if the limits have changed; for the time `unwatched` the thread was busy: the frames may have waited that
    /// long.
    @discardableResult
    mutating func frameCame(now: MonotonicTime, unwatched: Duration = .zero) -> Bool {
        let before = limits
        pace.frameCame(after: now - lastArrival - unwatched, isFirst: awaitsFirstFrame)
        lastArrival = now
        if awaitsFirstFrame { lastGood = now }
        awaitsFirstFrame = false
        if damaged == 0 { damagedSince = now }
        damaged += 1
        return limits != before
    }

    mutating func frameWasGood() { (lastGood, damaged) = (lastArrival, 0) }

    /// Raises the limit if the exposure has become longer, as it may in low light; returns true if it has.
    mutating func allow(interval: Duration?, exposure: Duration?) -> Bool {
        let before = limit
        derived = max(derived, Self.limit(interval, exposure: exposure))
        return limit > before
    }

    mutating func endsSilent() {
        pace.wasSilent(for: awaitsFirstFrame ? firstLimit : limit, isFirst: awaitsFirstFrame)
    }

    /// True if a frame without a timestamp may predate a driver call that hung; the following frame cannot.
    func mayPredateHang(_ stamp: FrameStamp) -> Bool { stamp.source == .dequeue && stamp.uncertainty > derived }

    func finding(now: MonotonicTime) -> Finding? {
        if now >= end { return .silent }
        // By arrivals: a camera without a limit may be silent after its last damaged frame.
        let isRun = damaged >= Self.shortestRun && lastArrival - damagedSince >= usualLimit * Self.damageFactor
        return isRun ? .damaged : nil
    }

    /// Time at which silence is a stall; the end of time if it never is.
    var end: MonotonicTime { lastArrival + (awaitsFirstFrame ? firstLimit : limit) }
}

/// Pace of a camera as its streams have shown it, whatever its driver states.
///
/// The stream after one that was silent before it showed its pace is allowed twice as much, up to 15 s; if that does
/// not help, the trials begin again with the least.
struct CameraPace: Hashable {
    static let least = Duration.seconds(2)
    private static let longestTrial = Duration.seconds(15)
    private static let most = Duration.seconds(60)
    /// Tolerates two lost frames.
    private static let intervalFactor = 3
    private static let window = 4

    /// Limit of the first frame: doubled after each stream without one, else twice the last measured time.
    private(set) var first = least
    /// Limit between frames on trial, until a stream has shown its pace.
    private var trial = least
    /// The last intervals, also of streams before, which may all be short.
    private var intervals: [Duration] = []
    private var count = 0

    private var isShown: Bool { count >= Self.window }
    var measured: Duration { max(Self.least, min(longest * Self.intervalFactor, Self.most)) }
    var longest: Duration { intervals.max() ?? .zero }

    /// Limit between frames; a stream that was slow to start may be slow until it has shown its pace.
    var limit: Duration { isShown ? measured : max(measured, trial, first) }
    mutating func beginStream() { count = 0 }

    /// Records a frame `time` after the one before or, if it `isFirst`, after the start of the stream.
    mutating func frameCame(after time: Duration, isFirst: Bool) {
        guard !isFirst else {
            first = max(Self.least, min(time * 2, Self.longestTrial))
            return
        }
        if intervals.count == Self.window { intervals.removeFirst() }
        intervals.append(time)
        count += 1
        if isShown { trial = Self.least }
    }

    /// Records that a stream was silent for `limit`, without a first frame or after its last one.
    mutating func wasSilent(for limit: Duration, isFirst: Bool) {
        let longer = min(limit * 2, Self.longestTrial)
        guard !isFirst else {
            first = max(first, longer)
            return
        }
        guard !isShown else { return }
        trial = longer
        guard limit >= Self.longestTrial else { return }
        // The measured intervals do not help either.
        trial = Self.least
        intervals.removeAll(keepingCapacity: true)
    }
}
