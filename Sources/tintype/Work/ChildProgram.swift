// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Subprocess
internal import SystemPackage

/// Standard input of a program.
struct ProgramInput: Sendable {
    /// The program has ended, or reads no more.
    struct Closed: Error {}

    fileprivate let writer: StandardInputWriter

    /// Waits until the program has room for all bytes.
    func write(_ bytes: [UInt8]) async throws(Closed) {
        guard (try? await writer.write(bytes)) == bytes.count else { throw Closed() }
    }
}

/// A program of a batch, in a session of its own, that is killed when this process ends.
struct ChildProgram {
    /// Time from SIGTERM to SIGKILL; a batch must have ended a second after the order to stop.
    private static let grace = Duration.milliseconds(400)
    private static let teardown = [
        TeardownStep.gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: grace)
    ]

    let path: String
    let arguments: [String]
    /// Variables in addition to the inherited ones.
    var environment: [String: String] = [:]
    /// Input, which other users cannot see, unlike arguments.
    var input: [UInt8] = []

    /// Path of a program in PATH; nil if there is none.
    static func find(_ name: String, path: String? = ProcessInfo.processInfo.environment["PATH"]) -> String? {
        // Omits empty elements: they mean the working folder.
        (path ?? "/usr/bin:/bin").split(separator: ":").map { "\($0)/\(name)" }.first(where: SystemCalls.mayRun)
    }

    /// Returns the exit status, 128 + N for signal N; cancellation, or false from `each` for a line, ends its session.
    func run(each: (String) -> Bool) async throws -> CInt {
        // A program that does not read its input has not failed.
        try await run(feeding: { try await $0.write(input) }, each: each).status
    }

    /// Also runs `feed`, whose result is nil if the program ended before it; an error of `feed` ends the program.
    func run<Fed: Sendable>(
        feeding feed: @escaping @Sendable (ProgramInput) async throws -> Fed,
        each: (String) -> Bool
    ) async throws -> (status: CInt, fed: Fed?) {
        var options = PlatformOptions()
        options.createSession = true
        options.teardownSequence = Self.teardown
        // Settings of rclone by others could leave files out, and end with status 0.
        let foreign = ProcessInfo.processInfo.environment.keys
            .filter { $0.hasPrefix("RCLONE_") && !$0.hasPrefix("RCLONE_CONFIG") }.map { ($0, String?.none) }
        let variables = (foreign + environment.map { ($0.key, Optional($0.value)) })
            .map { (Environment.Key(stringLiteral: $0.0), $0.1) }
        // PR_SET_PDEATHSIG counts from the thread that forks: Subprocess forks on one that lasts until this process ends.
        let result = try await Subprocess.run(
            .path("/usr/bin/setpriv"),
            arguments: Arguments(["--pdeathsig", "KILL", "--", path] + arguments),
            environment: .inherit.updating(Dictionary(uniqueKeysWithValues: variables)),
            platformOptions: options,
            input: .inputWriter,
            output: .sequence,
            error: .combinedWithOutput
        ) { execution in
            try await withThrowingTaskGroup(of: Fed?.self) { group in
                group.addTask {
                    let fed: Fed?
                    do {
                        fed = try await feed(ProgramInput(writer: execution.standardInputWriter))
                    } catch  where error is ProgramInput.Closed || Task.isCancelled {
                        fed = nil
                    } catch {
                        await execution.teardown(using: Self.teardown)
                        throw error
                    }
                    // A writer that is not finished traps.
                    try? await execution.standardInputWriter.finish()
                    return fed
                }
                let newline = SubprocessOutputSequence.StringSequence<UTF8>.Separator.unicodeScalarSequence(["\n"])
                let lines = execution.standardOutput.strings(separatedBy: newline, bufferingPolicy: .unbounded)
                for try await line in lines where !each(line) {
                    await execution.teardown(using: Self.teardown)
                    break
                }
                group.cancelAll()
                return try await group.next() ?? nil
            }
        }
        try Task.checkCancellation()
        return (result.terminationStatus.ofShell, result.closureResult)
    }
}

extension TerminationStatus {
    /// Exit status as in shells: 128 + N for signal N.
    var ofShell: CInt {
        switch self {
        case .exited(let code): code
        case .signaled(let signal): 128 + signal
        }
    }
}
