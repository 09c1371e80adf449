// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

final class Hooks: Service {
    private let journal: EventJournal
    private let clock: any MonotonicClock
    private let logger: Logger
    private let environment: [String: String]
    private let runners: Mutex<[HookRunner]> = Mutex([])
    private let started = AsyncStream.makeStream(of: HookRunner.self)

    init(_ settings: DaemonSettings, journal: EventJournal, clock: any MonotonicClock, logger: Logger) {
        (self.journal, self.clock, self.logger) = (journal, clock, logger)
        environment = ["TINTYPE_SOCKET": settings.configuration.socket.path]
        apply(settings.configuration.hooks)
    }

    /// Unchanged hooks continue, commands of removed ones are terminated.
    func apply(_ hooks: [HookConfiguration]) {
        let (new, old) = runners.withLock { runners in
            let (before, kept) = (runners, runners.filter { hooks.contains($0.configuration) })
            let new = hooks.filter { hook in !kept.contains { $0.configuration == hook } }.map(runner)
            runners = hooks.compactMap { hook in (kept + new).first { $0.configuration == hook } }
            return (new, before.filter { one in !kept.contains { $0 === one } })
        }
        for runner in old { runner.cancellation.cancel() }
        for runner in new { started.continuation.yield(runner) }
    }

    private func runner(_ hook: HookConfiguration) -> HookRunner {
        let post = hook.webhook.map { WebhookPost(address: $0) }
        let command = HookCommand(command: post?.command ?? hook.command, environment: environment, clock: clock)
        return HookRunner(hook, journal: journal, clock: clock, logger: logger) { event, limit in
            await command.run(post?.input(event) ?? event, within: limit)
        }
    }

    func hooks() -> [HookStatus] { runners.withLock(\.self).map(\.status).sorted { $0.name < $1.name } }

    /// Runs the hooks until graceful shutdown, which terminates their commands; call once.
    func run() async {
        await runUntilShutdown(by: clock) {
            await withDiscardingTaskGroup { group in
                for await runner in self.started.stream {
                    group.addTask { await runner.cancellation.runUntilCancelled([runner.run]) }
                }
                group.cancelAll()
            }
        }
    }
}

/// Runs `work`, which starts commands, until graceful shutdown or cancellation, and then waits 100 ms for its end.
///
/// A command that ignores SIGTERM is left to systemd (`KillMode=mixed`), so that it does not delay the shutdown.
func runUntilShutdown(by clock: any MonotonicClock, _ work: @escaping @Sendable () async -> Void) async {
    let ended = Reply<Void>(clock: clock)
    let task = Task {
        await work()
        ended.resolve(.success(()))
    }
    try? await gracefulShutdown()
    task.cancel()
    _ = await ended.wait(until: clock.now + .milliseconds(100))
}

/// Runs a command for a camera that cannot be opened, for example to reset its USB hub; the camera waits for nothing.
struct CameraRecovery: Service {
    /// Runs the command once, after this number of failed openings in a row; 0 after a good frame.
    typealias Attempt = @Sendable (_ failures: Int) async -> HookCommand.Completion

    static let timeLimit = Duration.seconds(30)

    let configuration: RecoverConfiguration
    let failures: AsyncStream<Int>
    let clock: any MonotonicClock
    let logger: Logger
    let attempt: Attempt

    func run() async { await runUntilShutdown(by: clock) { await watch() } }

    private func watch() async {
        // What fails during a run is its work, and the camera needs time after it.
        var next = clock.now
        for await count in failures where count >= configuration.after && clock.now >= next {
            let end = await attempt(count)
            next = clock.now + configuration.pause
            guard !Task.isCancelled else { return }
            let (level, what) = end.outcome == .ok ? (Logger.Level.notice, "has run") : (.warning, "failed")
            let text: Logger.Message = "the recovery command \(what): \(end.detail)"
            logger.log(level: level, text, metadata: ["failures": "\(count)"])
        }
    }
}
