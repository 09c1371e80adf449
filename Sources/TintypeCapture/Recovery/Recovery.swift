// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel

/// What a session does about a device that fails: when it is tried again, and whether clients do better to wait on.
struct Recovery {
    /// What is done about one failure.
    struct Plan {
        /// What clients are told, now or while the device is closed.
        let reason: Problem
        /// The time to the next attempt.
        let delay: Duration
        /// The time until a client that asks brings it about.
        var earliest = RetrySchedule.untilReady
        /// Whether the device may well be back before the clients' deadlines.
        let keepsWaiting: Bool
        /// Whether it is the first of its kind in this trouble, so that it is worth a line in the log.
        let isNew: Bool
    }

    private var schedule = RetrySchedule()
    /// The trouble that the camera is in; nil while frames come.
    private(set) var outage: Outage?
    /// What the camera failed with last; nil since its last good frame.
    private(set) var lastReason: Problem?
    /// How long the first frame of the next stream may take.
    var firstFrame = FirstFrameLimit()
    /// Whether the stream breaks off again and again.
    var flapping = Flapping()
    /// When the device last told that its source has changed.
    private var sourceChangedAt: MonotonicTime?

    /// How long a source that has changed may take to settle: a screen that switches goes through no signal and no lock.
    private static let sourceSettleTime = Duration.seconds(2)
    /// A device that tells one change after the other is not followed more often than this.
    private static let shortestFollowing = Duration.milliseconds(100)
    /// How often clients that ask have a camera tried that is at fault, at most.
    private static let faultInterval = Duration.seconds(2)
    /// How often an input without a picture is looked at.
    private static let signalInterval = Duration.seconds(1)
    /// The same where the device tells of a change; for a driver that does not keep that promise.
    private static let awaitedSignalInterval = Duration.seconds(10)

    /// Plans the reaction to a failure of the device, or of an attempt to open it.
    ///
    /// `brokeStream` says that a stream has ended by it. A node that `isJustMade` may not have its permissions yet. Where it
    /// `awaitsSignal`, the device tells when its input has one. See ``RetrySchedule/next(jitter:)`` for `jitter`.
    mutating func plan(
        after error: DeviceError,
        brokeStream: Bool,
        isJustMade: Bool,
        awaitsSignal: Bool = false,
        now: MonotonicTime,
        jitter: Double = .random(in: 0...1)
    ) -> Plan {
        guard !isJustMade else {
            let reason = Self.notReadyYet(error.problem)
            lastReason = reason
            return Plan(reason: reason, delay: RetrySchedule.untilReady, keepsWaiting: true, isNew: false)
        }
        if case .silent(_, isFirst: true) = error { firstFrame.grow() }
        let reason = error.problem
        lastReason = reason
        var outage = outage ?? Outage(began: now, brokeStream: brokeStream)
        let isNew = outage.record(reason.detail) && flapping.reason == nil
        self.outage = outage
        let isBackSoon = outage.expectsRecovery(from: error, now: now)
        guard case .noSignal = error else {
            let delay = schedule.next(jitter: jitter)
            // What a camera fails with by itself does not end sooner for being asked; a source may, of which no event tells.
            let earliest = reason.code == .cameraFault ? min(delay, Self.faultInterval) : RetrySchedule.untilReady
            return Plan(reason: reason, delay: delay, earliest: earliest, keepsWaiting: isBackSoon, isNew: isNew)
        }
        let isSettling = sourceChangedAt.map { now - $0 < Self.sourceSettleTime } ?? false
        return Plan(
            reason: reason,
            delay: isSettling
                ? Self.shortestFollowing : awaitsSignal ? Self.awaitedSignalInterval : Self.signalInterval,
            keepsWaiting: isBackSoon || isSettling,
            isNew: isNew
        )
    }

    /// The source of the device has changed.
    ///
    /// Returns when the device is opened again: at once, except in a storm of changes.
    mutating func sourceChanged(now: MonotonicTime) -> MonotonicTime {
        let isStorm = sourceChangedAt.map { now - $0 < Self.shortestFollowing } ?? false
        sourceChangedAt = now
        return isStorm ? now + Self.shortestFollowing : now
    }

    /// There is a sign that the device may be back: the next failures count as the first ones.
    mutating func beginAgain() { schedule.reset() }

    /// The stream is closed though the device has not failed: the machine was suspended.
    mutating func suspended(now: MonotonicTime) {
        schedule.reset()
        outage = outage ?? Outage(began: now, brokeStream: true)
    }

    /// A good frame has come: the trouble is over.
    ///
    /// Returns the trouble that has ended; nil where there was none.
    mutating func goodFrameCame() -> Outage? {
        guard let over = outage else { return nil }
        outage = nil
        lastReason = nil
        schedule.reset()
        return over
    }

    /// The answer to clients that ask for a node that was just made and that udev has not been at yet.
    private static func notReadyYet(_ problem: Problem) -> Problem {
        Problem(
            .deviceLost,
            "\(problem.detail) The node has just been made, and its permissions may not be set yet.",
            remedy: "Wait: it is opened as soon as they are.",
            retryAfter: RetrySchedule.untilReady
        )
    }
}

/// A camera's trouble, from its first failure to the next good frame.
struct Outage {
    /// When it began.
    let began: MonotonicTime
    /// Whether a stream broke; else the camera could not be opened in the first place.
    let brokeStream: Bool
    /// Failures so far: of the stream and of the attempts to open it again.
    private(set) var failures = 0
    private(set) var known: Set<String> = []

    /// How long a broken stream may take to come back before waiting clients are told.
    private static let youngLimit = Duration.seconds(1)
    /// Kinds of failure that are told apart, so that a driver with ever new ones does not fill the memory.
    private static let limit = 16

    /// Records a failure, and returns whether it is the first of its kind in this outage.
    mutating func record(_ detail: String) -> Bool {
        failures += 1
        return known.count < Self.limit && known.insert(detail).inserted
    }

    /// Whether it is but a short break so far.
    var isShort: Bool { failures <= 2 }

    /// Whether an attempt soon may well succeed, so that waiting clients do better to wait on.
    func expectsRecovery(from error: DeviceError, now: MonotonicTime) -> Bool {
        let isYoung = brokeStream && now - began < Self.youngLimit
        return switch error {
        // A hiccup of the driver: opening it again heals most of them.
        case .system, .silent: isShort || isYoung
        // A camera of ours that is being closed is free soon.
        case .busy(_, _, by: .some): isShort
        // A device that the bus has reset is away for a moment.
        case .disconnected, .absent: isYoung
        case .damaged: true
        // Found again as soon as it is plugged in.
        case .unresolved(let problem):
            problem.code == .deviceLost && isYoung
        case .denied, .restricted, .busy, .notVideo, .notCapture, .needsPipeline, .unsupported, .onlyVideo, .noSignal,
            .usbBandwidth:
            false
        }
    }
}

/// When a lost camera is tried again without any sign of it: soon at first, then ever later, at most every 10 s.
struct RetrySchedule {
    private var failures = 0
    private static let first = Duration.milliseconds(250)
    private static let longest = Duration.seconds(10)
    /// For a node that was just made and that udev has not been at yet.
    static let untilReady = Duration.milliseconds(100)

    /// The time to the next attempt, doubled with every failure.
    ///
    /// - Parameter jitter: 0 to 1: up to a fifth is taken off, so that many cameras on one hub do not come all at once.
    /// - Returns: 0.2 to 10 s.
    mutating func next(jitter: Double = .random(in: 0...1)) -> Duration {
        let doubled = Self.first * (1 << min(failures, 6))
        failures += 1
        return min(doubled, Self.longest) * (1 - 0.2 * jitter)
    }

    /// The next failure counts as the first.
    mutating func reset() { failures = 0 }
}

/// How long a camera's first frame may take after its stream has begun: longer after each stream that gave none, and twice
/// what it took where one has come.
struct FirstFrameLimit {
    private static let least = Duration.seconds(2)
    private static let most = Duration.seconds(15)

    /// 2 to 15 s.
    private(set) var limit = Self.least

    /// A stream was ended that had given no frame within the limit.
    mutating func grow() { limit = min(limit * 2, Self.most) }

    /// The first good frame has come, so long after the camera was to be opened.
    mutating func learn(_ time: Duration) { limit = max(Self.least, min(time * 2, Self.most)) }
}
