// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Logging
internal import ServiceLifecycle
internal import Subprocess
internal import Synchronization
internal import SystemPackage
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
        // Failures during a run are its effect, and the camera needs time after it.
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

/// Runs the command of a hook without a shell, with an event on its standard input.
struct HookCommand: Sendable {
    typealias Completion = (outcome: HookResult.Outcome, detail: String)

    /// Time from SIGTERM to SIGKILL.
    private static let grace = Duration.seconds(2)

    let command: [String]
    let environment: [String: String]
    let clock: any MonotonicClock

    /// `limit` or cancellation terminates its process group; its output goes to the daemon's standard error.
    func run(_ input: [UInt8], within limit: Duration) async -> Completion {
        await clock.result(within: limit) { await execute(input) }
            ?? (.late, "It had not ended after \(SpokenDuration.text(limit)), and was ended.")
    }

    private func execute(_ input: [UInt8]) async -> Completion {
        var options = PlatformOptions()
        // Own session, so that its child processes are terminated too.
        options.createSession = true
        options.teardownSequence = [.gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: Self.grace)]
        do {
            let result = try await Subprocess.run(
                .path(FilePath(command[0])),
                arguments: Arguments(Array(command.dropFirst())),
                environment: .inherit.updating(variables),
                platformOptions: options,
                input: .inputWriter,
                output: .currentStandardError,
                error: .currentStandardError
            ) { execution in
                // A command that does not read its input has not failed. A writer that is not finished traps.
                _ = try? await execution.standardInputWriter.write(input)
                try? await execution.standardInputWriter.finish()
            }
            switch result.terminationStatus {
            case .exited(0): return (.ok, "It ended with 0.")
            case .exited(let code): return (.failed, "It ended with \(code).")
            case .signaled(let signal): return (.failed, "It was ended by signal \(signal).")
            }
        } catch {
            let reason = "\(error)"
            return (.notStarted, "\(command[0]) cannot be started: \(reason)\(reason.hasSuffix(".") ? "" : ".")")
        }
    }

    private var variables: [Environment.Key: String?] {
        // The command is not the service that systemd waits for, or passes sockets to.
        let none: [Environment.Key: String?] = [
            "NOTIFY_SOCKET": nil, "LISTEN_PID": nil, "LISTEN_FDS": nil, "LISTEN_FDNAMES": nil,
        ]
        return environment.reduce(into: none) { $0[Environment.Key(stringLiteral: $1.key)] = $1.value }
    }
}

/// Posts events with curl(1), which handles TLS with the machine's certificates, and proxies.
///
/// The URL may be secret: curl gets it on its standard input with the event, not as an argument that others see.
struct WebhookPost: Sendable {
    let address: String

    let command = ["/usr/bin/curl", "--disable", "--config", "-"]

    /// Curl configuration; `event` is JSON on one line.
    func input(_ event: [UInt8]) -> [UInt8] {
        let lines = [
            CurlConfiguration.setting("url", address),
            CurlConfiguration.setting("data-binary", String(decoding: event, as: UTF8.self)),
            "header = \"Content-Type: application/json\"", "proto = \"=http,https\"", "output = \"/dev/null\"",
            "globoff", "fail", "silent", "show-error",
        ]
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// HTTP or HTTPS (RFC 3986).
    static func isAddress(_ text: String) -> Bool {
        text.utf8.count <= 2048 && text.wholeMatch(of: /https?:\/\/[^\x00-\x20"\\\x7F\/?#]+[^\x00-\x20"\\\x7F]*/) != nil
    }
}

/// Folder of this program, beside which those are that it starts.
enum ProgramFolder {
    static var own: String? {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))?.enclosingFolder
    }
}
