// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Subprocess
internal import SystemPackage
internal import TintypeModel
internal import TintypeSystem

/// Runs the command of a hook without a shell, with an event on its standard input.
struct HookCommand: Sendable {
    typealias Completion = (outcome: HookResult.Outcome, detail: String)

    /// Time from SIGTERM to SIGKILL.
    private static let grace = Duration.seconds(2)

    /// Absolute path of the program, and its arguments.
    let command: [String]
    /// Variables in addition to the inherited ones.
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
        var variables: [Environment.Key: String?] = [
            "NOTIFY_SOCKET": nil, "LISTEN_PID": nil, "LISTEN_FDS": nil, "LISTEN_FDNAMES": nil,
        ]
        for (name, value) in environment { variables[Environment.Key(stringLiteral: name)] = value }
        return variables
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
    /// Nil if it is unknown.
    static var own: String? {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))?.enclosingFolder
    }
}
