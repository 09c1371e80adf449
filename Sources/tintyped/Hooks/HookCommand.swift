// SPDX-License-Identifier: Apache-2.0
internal import Subprocess
internal import SystemPackage
internal import TintypeModel
internal import TintypeSystem

/// Runs the command of a hook without a shell, with an event on its standard input.
struct HookCommand: Sendable {
    typealias End = (outcome: HookResult.Outcome, detail: String)

    /// Time from SIGTERM to SIGKILL when a command is terminated.
    private static let grace = Duration.seconds(2)

    /// Absolute path of the program, and its arguments.
    let command: [String]
    /// Additions to the inherited environment.
    let environment: [String: String]
    let clock: any MonotonicClock

    /// Runs the command with `input` until it exits; `limit` or cancellation terminates its process group.
    ///
    /// Its output goes to the daemon's standard error.
    func run(_ input: [UInt8], within limit: Duration) async -> End {
        await withTaskGroup(of: End?.self) { group in
            group.addTask { await end(input) }
            group.addTask {
                try? await clock.sleep(for: limit)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            await group.waitForAll()
            return first ?? (.late, "It had not ended after \(SpokenDuration.text(limit)), and was ended.")
        }
    }

    private func end(_ input: [UInt8]) async -> End {
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
