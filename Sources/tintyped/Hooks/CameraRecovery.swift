// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import ServiceLifecycle
internal import TintypeModel
internal import TintypeSystem

/// Runs a command for a camera that cannot be opened, for example to reset its USB hub; the camera waits for nothing.
struct CameraRecovery: Service {
    /// Runs the command once, after this number of failed openings in a row; 0 after a good frame.
    typealias Attempt = @Sendable (_ failures: Int) async -> HookCommand.Completion

    static let timeLimit = Duration.seconds(30)

    let rule: RecoveryRule
    let failures: AsyncStream<Int>
    let clock: any MonotonicClock
    let logger: Logger
    let attempt: Attempt

    func run() async { await runUntilShutdown(by: clock) { await watch() } }

    private func watch() async {
        var rule = rule
        for await count in failures where rule.isDue(after: count, at: clock.now) {
            let end = await attempt(count)
            rule.hasRun(at: clock.now)
            guard !Task.isCancelled else { return }
            let (level, what) = end.outcome == .ok ? (Logger.Level.notice, "has run") : (.warning, "failed")
            let text: Logger.Message = "the recovery command \(what): \(end.detail)"
            logger.log(level: level, text, metadata: ["failures": "\(count)"])
        }
    }
}

/// Decides when the command is run; a value, with the time as an argument.
struct RecoveryRule {
    let configuration: RecoverConfiguration
    /// End of the last run: what fails during a reset is its work, and the camera needs time after it.
    private var last: MonotonicTime?

    init(_ configuration: RecoverConfiguration) { self.configuration = configuration }

    /// True if the command is to be run after this number of failed openings in a row.
    func isDue(after failures: Int, at now: MonotonicTime) -> Bool {
        let isPaused = last.map { now - $0 < configuration.pause } ?? false
        return failures >= configuration.after && !isPaused
    }

    mutating func hasRun(at end: MonotonicTime) { last = end }
}
