// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// Tells systemd that the daemon moves, once each of its parts has answered: `WATCHDOG=1` of sd_notify(3).
///
/// A part that does not answer is named in the log. If it stays silent for the time of `WatchdogSec=`, systemd ends the
/// daemon and starts it again (systemd.service(5)). A camera's thread that hangs in a driver call, and storage that waits for
/// its disk or works through a long queue, are excused: that is the trouble of one camera or spool, and a restart would not end it.
final class Watchdog: Sendable {
    /// How often the parts are asked within the time of `WatchdogSec=`.
    private static let looks = 4

    /// A part that was asked and has not answered at the last look.
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

    /// A watchdog that looks by `clock`.
    ///
    /// `heartbeats` is called at each look, and may return other parts each time.
    init(
        _ notifier: ServiceNotifier,
        clock: any MonotonicClock,
        logger: Logger,
        heartbeats: @escaping @Sendable () -> [Heartbeat]
    ) {
        (self.notifier, self.clock, self.logger, self.heartbeats) = (notifier, clock, logger, heartbeats)
    }

    /// Looks which parts have answered since the last look, tells systemd if all have, and asks again.
    ///
    /// Blocks for 200 ms at most.
    func look() {
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
}

extension Watchdog: Service {
    /// Looks again and again until graceful shutdown, on a thread of its own, since the cooperative pool is one of the parts.
    func run() async throws {
        guard let interval = notifier.watchdogTime.map({ $0 / Self.looks }) else { return try await gracefulShutdown() }
        let hasStopped = OnceFlag()
        NamedThread.start(name: "tt-watchdog") { [self] in
            let timer = clock.timer()
            timer.set(clock.now + interval, every: interval)
            while !hasStopped.isRaised {
                look()
                timer.wait()
                _ = timer.expirations()
            }
        }
        try? await gracefulShutdown()
        hasStopped.raise()
    }
}
