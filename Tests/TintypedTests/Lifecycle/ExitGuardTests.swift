// SPDX-License-Identifier: Apache-2.0
import Glibc
import Logging
import TestSupport
import Testing
import TintypeModel

@testable import tintyped

/// Each test is a process of its own, which gets real signals.
struct ExitGuardTests {
    /// A guard whose log lines go to standard error as the daemon's do.
    static func exitGuard(limit: Duration = ExitGuard.limit, doubling: Duration = .milliseconds(200)) -> ExitGuard {
        let writer = LogWriter { LogLine(.warning, $0, for: .journal) }
        let logger = Logger(label: "test") { _ in
            JournalLogHandler(reader: .journal, logLevel: .trace, write: writer.write)
        }
        return ExitGuard(logger: logger, limit: limit, doubling: doubling, flush: writer.flush)
    }

    /// Blocks every thread of the cooperative pool for good.
    static func blockEverything() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<64 { group.addTask { while true { pause() } } }
        }
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `a process that hangs everywhere leaves all the same, and says what hung`(_ signal: CInt) async throws {
        let result = await #expect(processExitsWith: .exitCode(0), observing: [\.standardErrorContent]) {
            [signal] in
            let exitGuard = Self.exitGuard()
            await exitGuard.arm()
            exitGuard.begin("the services")
            exitGuard.begin("closing the spool")
            exitGuard.end("the services")
            kill(getpid(), signal)
            await Self.blockEverything()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("<4>leaving without a clean stop unfinished=\"closing the spool\""), "\(text)")
        #expect(text.contains("<5>stopping reason=\(signal == SIGINT ? "SIGINT" : "SIGTERM")"), "\(text)")
    }

    @Test func `the second signal ends the process at once`() async {
        let result = await #expect(processExitsWith: .exitCode(128 + SIGTERM), observing: [\.standardErrorContent]) {
            let exitGuard = Self.exitGuard(limit: .seconds(600), doubling: .zero)
            await exitGuard.arm()
            kill(getpid(), SIGINT)
            await exitGuard.waitForStop()
            kill(getpid(), SIGTERM)
            await Self.blockEverything()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("SIGTERM again: leaving at once."))
    }

    @Test func `a signal that comes twice in one moment asks for a clean stop`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let exitGuard = Self.exitGuard(limit: .seconds(600), doubling: .seconds(600))
            await exitGuard.arm()
            kill(getpid(), SIGTERM)
            await exitGuard.waitForStop()
            kill(getpid(), SIGINT)
            // Handled on the queue that the first one came by, and so before what is done on it next.
            await exitGuard.arm()
            exitGuard.leave(status: 7)
        }
    }

    @Test func `a signal asks for a clean stop, which then decides the status`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let exitGuard = Self.exitGuard(limit: .seconds(600))
            await exitGuard.arm()
            precondition(!exitGuard.isStopping)
            kill(getpid(), SIGTERM)
            await exitGuard.waitForStop()
            precondition(exitGuard.isStopping)
            exitGuard.leave(status: 7)
        }
    }

    @Test func `a signal that came before anybody waits is not lost`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let exitGuard = Self.exitGuard(limit: .seconds(600))
            exitGuard.requestStop(because: "test")
            precondition(!exitGuard.requestStop(because: "test"))
            await exitGuard.waitForStop()
            exitGuard.leave(status: 7)
        }
    }

    @Test func `a full pipe that nobody reads does not keep the process`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let exitGuard = Self.exitGuard()
            await exitGuard.arm()
            var ends: [CInt] = [0, 0]
            _ = unsafe pipe(&ends)
            _ = dup2(ends[1], STDERR_FILENO)
            FullPipe.fill(ends[1])
            kill(getpid(), SIGTERM)
            await Self.blockEverything()
        }
    }

    @Test func `SIGHUP asks for a reload and SIGPIPE is an error of its write`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let exitGuard = ExitGuard(logger: LineRecorder().logger)
            await exitGuard.arm()
            kill(getpid(), SIGHUP)
            for await _ in exitGuard.reloadRequests { break }
            var ends: [CInt] = [0, 0]
            _ = unsafe pipe(&ends)
            _ = close(ends[0])
            let count = unsafe write(ends[1], [UInt8(0)], 1)
            exit(count == -1 && errno == EPIPE ? 7 : 8)
        }
    }
}
