// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// Availability of a spool, readable from all threads; logs each change once.
final class SpoolHealth: Sendable {
    private struct Values {
        var state = SpoolState.available
        var limit: SpoolLimit?
        var room: SpoolRoom?
        /// Time of the next automatic attempt to open the spool, while it is unavailable.
        var due = MonotonicTime(nanoseconds: 0)
        /// Earliest time at which a request triggers an attempt.
        var dueForRequest = MonotonicTime(nanoseconds: 0)
        var attempts = 0
        var isExamined = false
    }

    /// Yields an element whenever the spool becomes unavailable; for a single consumer.
    let losses: AsyncStream<Void>

    private let values = Mutex(Values())
    private let loss: AsyncStream<Void>.Continuation
    private let clock: any MonotonicClock
    private let logger: Logger

    init(clock: any MonotonicClock, logger: Logger) {
        (self.clock, self.logger) = (clock, logger)
        (losses, loss) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    var state: SpoolState { values.withLock(\.state) }
    var limit: SpoolLimit? { values.withLock(\.limit) }
    var room: SpoolRoom? {
        get { values.withLock(\.room) }
        set { values.withLock { $0.room = newValue } }
    }
    var isUnavailable: Bool { state.name == .unavailable }

    private static let longestPause = Duration.seconds(5)
    private static let shortestPause = Duration.milliseconds(200)

    /// Time of the next automatic attempt to open the spool; nil unless unavailable.
    var due: MonotonicTime? { values.withLock { $0.state.name == .unavailable ? $0.due : nil } }

    /// True if a request at `now` triggers an attempt, so that the first request detects a disk that is back.
    func isDueForRequest(at now: MonotonicTime) -> Bool {
        values.withLock { values in values.state.name == .unavailable && values.dueForRequest <= now }
    }

    /// Reason for being unavailable, with the time until the next attempt.
    var reason: Problem? {
        values.withLock { values in
            guard values.state.name == .unavailable, var reason = values.state.reason else { return nil }
            reason.retryAfterMs = Milliseconds(max(.milliseconds(100), values.due - clock.now))
            return reason
        }
    }

    func stored() {
        let wasFull = values.withLock { values -> Bool in
            guard values.state.name == .full else { return false }
            values.state = .available
            return true
        }
        if wasFull { logger.notice("The spool has free space again") }
    }

    func ranOut(_ problem: Problem) {
        let isNew = values.withLock { values -> Bool in
            guard values.state == .available else { return false }
            values.state = .full(reason: problem, since: clock.wall)
            return true
        }
        guard isNew else { return }
        logger.error(
            "\(problem)",
            metadata: ["code": "\(problem.code.rawValue)", MessageID.key: "\(MessageID.spoolFull)"]
        )
    }

    /// Records that the spool was closed after a failure or could not be opened; an attempt is due at once.
    func lost(_ problem: Problem) {
        let (now, wall) = (clock.now, clock.wall)
        values.withLock { values in
            values.state = .unavailable(reason: problem, since: wall, nextAttempt: wall)
            (values.due, values.dueForRequest) = (now, now)
            values.attempts = 0
        }
        logger.error(
            "The spool is unavailable: \(problem)",
            metadata: ["code": "\(problem.code.rawValue)", MessageID.key: "\(MessageID.spoolUnavailable)"]
        )
        loss.yield()
    }

    /// Records a failed attempt to open the spool; the next one is due after 1 s, doubling up to ``longestPause``, or
    /// with the first request after ``shortestPause``.
    func failedAgain(_ problem: Problem, at now: MonotonicTime) {
        let isNew = values.withLock { values -> Bool in
            let state = values.state
            guard state.name == .unavailable, let reason = state.reason, let since = state.since else { return false }
            let delay = Duration.seconds(1).backoff(after: values.attempts, upTo: Self.longestPause)
            values.attempts += 1
            values.due = now + delay
            values.dueForRequest = now + Self.shortestPause
            values.state = .unavailable(reason: problem, since: since, nextAttempt: clock.wall(at: now) + delay)
            return reason.detail != problem.detail
        }
        logger.log(level: isNew ? .error : .debug, "The spool is still unavailable: \(problem)")
    }

    func opened(limit: SpoolLimit?) {
        let since = values.withLock { values -> Timestamp? in
            let since = values.state.name == .unavailable ? values.state.since : nil
            values.state = .available
            values.limit = limit
            return since
        }
        if let since { logger.notice("The spool is available again", metadata: ["since": "\(since)"]) }
    }

    /// Claims the examination of the spool; false if one is already pending.
    func beginExamination() -> Bool {
        values.withLock { values in
            guard !values.isExamined else { return false }
            values.isExamined = true
            return true
        }
    }

    func endExamination() { values.withLock { $0.isExamined = false } }
}

extension Problem {
    static func late(_ verb: String, _ folder: String) -> Problem {
        let detail = "The spool \(folder) could not \(verb) in time."
        let remedy = "Ask for a longer deadline, and look at the disk's load and errors (iostat, dmesg)."
        return Problem(.deadlineExceeded, detail, remedy: remedy, retryAfter: .seconds(1))
    }

    static func closed(_ folder: String) -> Problem {
        let detail = "The spool \(folder) is closed."
        let remedy = "Ask again when tintyped has started."
        return Problem(.stopping, detail, remedy: remedy, retryAfter: .seconds(1))
    }
}
