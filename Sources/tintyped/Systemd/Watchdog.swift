// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// Sends `WATCHDOG=1` (sd_notify(3)) as long as all parts of the daemon respond.
///
/// A part that does not respond is logged. If it stays silent for `WatchdogSec=`, systemd restarts the daemon
/// (systemd.service(5)). A camera thread that hangs in a driver call is excused, and so is storage that waits for its
/// disk or works through a long queue: a restart would not solve the problem of one camera or spool.
final class Watchdog: Service {
    /// Checks within `WatchdogSec=`.
    private static let beats = 4

    private struct Question {
        let part: Heartbeat
        let answer = OnceFlag()
        var isLogged = false
    }

    private let notifier: ServiceNotifier
    private let clock: any MonotonicClock
    private let logger: Logger
    private let heartbeats: @Sendable () -> [Heartbeat]
    private let questions = Mutex<[ObjectIdentifier: Question]>([:])

    /// `heartbeats` may return different parts at each check.
    init(
        _ notifier: ServiceNotifier,
        clock: any MonotonicClock,
        logger: Logger,
        heartbeats: @escaping @Sendable () -> [Heartbeat]
    ) {
        (self.notifier, self.clock, self.logger, self.heartbeats) = (notifier, clock, logger, heartbeats)
    }

    /// Checks which parts have answered, notifies systemd if all have, and asks again; blocks for up to 200 ms.
    func check() {
        let parts = heartbeats()
        var isWell = true
        let unasked = questions.withLock { questions in
            let before = questions
            questions = [:]
            var unasked: [Question] = []
            for part in parts {
                let last = before[part.id]
                guard var question = last, !question.answer.isRaised else {
                    if last?.isLogged == true {
                        logger.notice("a part of the daemon answers again", metadata: ["part": "\(part.name)"])
                    }
                    unasked.append(Question(part: part))
                    questions[part.id] = unasked.last
                    continue
                }
                if !part.isExcused() {
                    isWell = false
                    if !question.isLogged {
                        logger.error(
                            "a part of the daemon does not answer",
                            metadata: ["part": "\(part.name)", MessageID.key: "\(MessageID.unresponsive)"]
                        )
                    }
                    question.isLogged = true
                }
                questions[part.id] = question
            }
            return unasked
        }
        for question in unasked { question.part.ask { question.answer.raise() } }
        if isWell { notifier.watchdog() }
    }

    /// On a thread of its own, since the cooperative pool is one of the parts.
    func run() async throws {
        guard let interval = notifier.watchdogTime.map({ $0 / Self.beats }) else { return try await gracefulShutdown() }
        let hasStopped = OnceFlag()
        let timer = try clock.timer()
        try NamedThread.start(name: "tt-watchdog") { [self] in
            timer.set(clock.now + interval, every: interval)
            while !hasStopped.isRaised {
                check()
                timer.wait()
                _ = timer.expirations()
            }
        }
        try? await gracefulShutdown()
        hasStopped.raise()
    }
}
