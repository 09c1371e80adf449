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
    /// When the device last told that its source has changed.
    private var sourceChangedAt: MonotonicTime?

    /// How long a source that has changed may take to settle: a screen that switches goes through no signal and no lock.
    private static let sourcePatience = Duration.seconds(2)
    /// A device that tells one change after the other is not followed more often than this.
    private static let shortestFollowing = Duration.milliseconds(100)
    /// How often an input without a picture is looked at.
    private static let signalInterval = Duration.seconds(1)

    /// The device, or an attempt to open it, has failed.
    ///
    /// - Parameters:
    ///   - error: why.
    ///   - brokeStream: whether a stream has ended by it.
    ///   - isJustMade: whether the node is so new that its permissions may not be set yet.
    ///   - now: the present moment.
    ///   - jitter: see ``RetrySchedule/next(jitter:)``.
    /// - Returns: what is done about it.
    mutating func plan(
        after error: DeviceError,
        brokeStream: Bool,
        isJustMade: Bool,
        now: MonotonicTime,
        jitter: Double = .random(in: 0...1)
    ) -> Plan {
        guard !isJustMade else {
            let reason = Self.notReadyYet(error.problem)
            lastReason = reason
            return Plan(reason: reason, delay: RetrySchedule.untilReady, keepsWaiting: true, isNew: false)
        }
        let reason = error.problem
        lastReason = reason
        var outage = outage ?? Outage(began: now, brokeStream: brokeStream)
        let isNew = outage.record(reason.detail)
        self.outage = outage
        let isBackSoon = outage.expectsRecovery(from: error, now: now)
        guard case .noSignal = error else {
            let delay = schedule.next(jitter: jitter)
            return Plan(reason: reason, delay: delay, keepsWaiting: isBackSoon, isNew: isNew)
        }
        let isSettling = sourceChangedAt.map { now - $0 < Self.sourcePatience } ?? false
        return Plan(
            reason: reason,
            delay: isSettling ? Self.shortestFollowing : Self.signalInterval,
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

    /// A good frame has come: whatever was wrong is over.
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
