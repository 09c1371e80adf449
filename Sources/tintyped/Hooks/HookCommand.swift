// SPDX-License-Identifier: Apache-2.0
internal import Subprocess
internal import SystemPackage
internal import TintypeModel
internal import TintypeSystem

/// Runs the command of a hook: without a shell, with an event on its standard input.
struct HookCommand: Sendable {
    /// How an attempt ended, in kind and in a sentence.
    typealias End = (outcome: HookResult.Outcome, detail: String)

    /// The time from SIGTERM to SIGKILL for one that is to be ended.
    private static let grace = Duration.seconds(2)

    /// The program, an absolute path, and its arguments.
    let command: [String]
    /// What is in its environment besides what is in ours.
    let environment: [String: String]
    /// Measures how long it runs.
    let clock: any MonotonicClock

    /// Runs it with `input` to its end, or until `limit` is over or the task is cancelled: then it and all that it started
    /// is ended.
    ///
    /// What it writes goes where our log goes.
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
        // A session of its own: what it starts ends with it.
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
                // One that does not read what it is told is none that fails. A writer that is not finished traps.
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
        // It is not the service that systemd waits for, nor that to which it passes sockets.
        var variables: [Environment.Key: String?] = [
            "NOTIFY_SOCKET": nil, "LISTEN_PID": nil, "LISTEN_FDS": nil, "LISTEN_FDNAMES": nil,
        ]
        for (name, value) in environment { variables[Environment.Key(stringLiteral: name)] = value }
        return variables
    }
}
