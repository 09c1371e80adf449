// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

/// Plans retries of a failed device, and decides whether its clients keep waiting.
struct Recovery {
    struct Plan {
        let reason: Problem
        let delay: Duration
        /// Delay until a client's request triggers the attempt early.
        var earliest = RetrySchedule.untilReady
        /// True if the device is likely back before the clients' deadlines.
        let keepsWaiting: Bool
        /// True for the first failure of its kind in this outage, which is logged.
        let isNew: Bool
    }

    private var schedule = RetrySchedule()
    private(set) var outage: Outage?
    private(set) var failedOpenings = 0
    /// Problem of the last failure; nil after the next good frame.
    private(set) var lastReason: Problem?
    var flapping = Flapping()
    private var sourceChangedAt: MonotonicTime?

    /// Time for a changed source to settle: a switching screen passes through no signal and no lock.
    private static let sourceSettleTime = Duration.seconds(2)
    /// Minimum interval between reopenings for successive source changes.
    private static let shortestFollowing = Duration.milliseconds(100)
    /// Minimum interval between retries of a faulty camera that clients trigger.
    private static let faultInterval = Duration.seconds(2)
    private static let signalInterval = Duration.seconds(1)
    /// Retry interval for an input whose device reports source changes, in case its driver fails to.
    private static let awaitedSignalInterval = Duration.seconds(10)

    /// `brokeStream`: the failure ended a stream.
    ///
    /// `isJustMade`: the node is new and may not have its permissions yet. `awaitsSignal`: the device stays open.
    mutating func plan(
        after error: DeviceError,
        brokeStream: Bool,
        isJustMade: Bool,
        awaitsSignal: Bool = false,
        now: MonotonicTime,
        jitter: Double = .random(in: 0...1)
    ) -> Plan {
        let reason = isJustMade ? Self.notReadyYet(error.problem) : error.problem
        lastReason = reason
        guard !isJustMade else {
            return Plan(reason: reason, delay: RetrySchedule.untilReady, keepsWaiting: true, isNew: false)
        }
        var outage = outage ?? Outage(began: now, brokeStream: brokeStream)
        let isNew = outage.record(Self.kind(of: error)) && flapping.reason == nil
        self.outage = outage
        let isBackSoon = outage.expectsRecovery(from: error, now: now)
        guard case .noSignal = error else {
            let delay = schedule.next(jitter: jitter)
            // Retrying a faulty camera early does not help; other causes may end without an event.
            let earliest = reason.code == .cameraFault ? min(delay, Self.faultInterval) : RetrySchedule.untilReady
            return Plan(reason: reason, delay: delay, earliest: earliest, keepsWaiting: isBackSoon, isNew: isNew)
        }
        let isSettling = sourceChangedAt.map { now - $0 < Self.sourceSettleTime } ?? false
        let interval = awaitsSignal ? Self.awaitedSignalInterval : Self.signalInterval
        let delay = isSettling ? Self.shortestFollowing : interval
        return Plan(reason: reason, delay: delay, keepsWaiting: isBackSoon || isSettling, isNew: isNew)
    }

    /// Counts an opening that failed, or whose stream gave no frame; false if a reset of the device would not help: it
    /// may not be opened, is in use, has no signal or bandwidth, or the daemon lacks memory, descriptors or threads.
    mutating func openingFailed(_ error: DeviceError) -> Bool {
        if case .system(let call, _, let code) = error,
            code == ENOMEM || ResourceError.remedy(call: call, code: code) != nil
        {
            return false
        }
        guard [.deviceLost, .cameraFault, .corruptOnly].contains(error.problem.code) else { return false }
        failedOpenings += 1
        return true
    }

    /// Returns the time for reopening the device: at once, or delayed in a storm of changes.
    mutating func sourceChanged(now: MonotonicTime) -> MonotonicTime {
        let isStorm = sourceChangedAt.map { now - $0 < Self.shortestFollowing } ?? false
        sourceChangedAt = now
        return isStorm ? now + Self.shortestFollowing : now
    }

    mutating func beginAgain() { schedule.reset() }

    mutating func suspended(now: MonotonicTime) {
        schedule.reset()
        outage = outage ?? Outage(began: now, brokeStream: true)
    }

    /// Begin of the outage by the wall clock, the same at each call unless that clock was stepped meanwhile.
    mutating func outageBegan(by clock: any MonotonicClock) -> Timestamp {
        let present = clock.wall(at: outage?.began ?? clock.now)
        if let since = outage?.since, abs((present - since) / .seconds(1)) < 1 { return since }
        outage?.since = present
        return present
    }

    mutating func goodFrameCame() -> Outage? {
        failedOpenings = 0
        guard let over = outage else { return nil }
        outage = nil
        lastReason = nil
        schedule.reset()
        return over
    }

    /// True if the error is about a node created within the last 5 s, so udev may not have set its group yet (udev(7)).
    static func isJustMade(_ error: DeviceError, now: Timestamp) -> Bool {
        guard case .denied(let path) = error else { return false }
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return false }
        return isJustMade(changed: Timestamp(status.st_ctim), now: now)
    }

    /// A future time, left by a clock that was set back, does not count.
    static func isJustMade(changed: Timestamp, now: Timestamp) -> Bool {
        (.zero..<(.seconds(5))).contains(now - changed)
    }

    /// Identity of a failure in the log: a device that is gone has another text at each step of reopening it.
    private static func kind(of error: DeviceError) -> String {
        let problem = error.problem
        if case .silent = error { return problem.detail }
        return problem.code == .deviceLost ? problem.code.rawValue : problem.detail
    }

    private static func notReadyYet(_ problem: Problem) -> Problem {
        Problem(
            .deviceLost,
            "\(problem.detail) The node has just been made, and its permissions may not be set yet.",
            remedy: "Wait: it is opened as soon as they are.",
            retryAfter: RetrySchedule.untilReady
        )
    }
}

/// An outage of a camera, from its first failure to the next good frame.
struct Outage {
    let began: MonotonicTime
    /// ``began`` by the wall clock, once it was asked for: each conversion gives another microsecond.
    fileprivate(set) var since: Timestamp?
    /// True if a stream broke; false if the camera could not be opened.
    let brokeStream: Bool
    private(set) var failures = 0
    private(set) var known: Set<String> = []

    /// Time for a broken stream to recover before waiting clients fail.
    private static let youngLimit = Duration.seconds(1)
    /// Maximum number of distinct failures remembered, to bound memory.
    private static let limit = 16

    mutating func record(_ kind: String) -> Bool {
        failures += 1
        return known.count < Self.limit && known.insert(kind).inserted
    }

    var isShort: Bool { failures <= 2 }

    /// True if an attempt soon is likely to succeed, so that clients should keep waiting.
    func expectsRecovery(from error: DeviceError, now: MonotonicTime) -> Bool {
        let isYoung = brokeStream && now - began < Self.youngLimit
        return switch error {
        // A transient driver error: reopening cures most of them.
        case .system: isShort || isYoung
        // Another camera of this daemon that is being closed is free soon.
        case .busy(_, _, by: .some): isShort
        // A device reset by the bus disappears for a moment.
        case .disconnected, .absent: isYoung
        case .damaged, .silent: true
        // Resolvable again as soon as it is plugged in.
        case .unresolved(let problem): problem.code == .deviceLost && isYoung
        case .denied, .restricted, .busy, .notVideo, .notCapture, .needsPipeline, .unsupported, .onlyVideo, .noSignal,
            .usbBandwidth:
            false
        }
    }
}

/// Exponential backoff for reopening a lost camera, up to 10 s.
struct RetrySchedule {
    private var failures = 0
    private static let first = Duration.milliseconds(250)
    private static let longest = Duration.seconds(10)
    /// Retry delay for a new device node that udev has not set up yet.
    static let untilReady = Duration.milliseconds(100)

    /// 0.2 to 10 s: doubled with every failure, and reduced by up to a fifth so that cameras on one hub do not retry at
    /// once.
    mutating func next(jitter: Double = .random(in: 0...1)) -> Duration {
        defer { failures += 1 }
        return Self.first.backoff(after: failures, upTo: Self.longest) * (1 - 0.2 * jitter)
    }

    mutating func reset() { failures = 0 }
}

/// Detects a stream that repeatedly breaks: the camera then stays `degraded` until the stream has lasted for a minute,
/// and single breaks are not reported.
struct Flapping {
    private static let count = 3
    /// Time window for counting breaks, and time without one that ends flapping.
    private static let window = Duration.seconds(60)

    private var returns: [MonotonicTime] = []
    private(set) var reason: Problem?

    /// Records the recovery of a broken stream; returns the problem to report if flapping starts.
    mutating func cameBack(_ camera: String, now: MonotonicTime) -> Problem? {
        returns = returns.filter { now - $0 < Self.window } + [now]
        guard reason == nil, returns.count >= Self.count, let first = returns.first else { return nil }
        reason = Problem(
            .cameraFault,
            "The stream of the camera \(camera) breaks off and comes back again and again: \(returns.count) times in "
                + "\(SpokenDuration.text(now - first)).",
            remedy: "Try another cable and another port, without a hub, then a lower rate or a smaller size; the "
                + "kernel's log may have the cause (sudo journalctl -k)."
        )
        return reason
    }

    var end: MonotonicTime? { reason == nil ? nil : returns.last.map { $0 + Self.window } }

    mutating func expire(now: MonotonicTime) -> Bool {
        guard let end, now >= end else { return false }
        self = Flapping()
        return true
    }
}
