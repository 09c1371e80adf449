// SPDX-License-Identifier: Apache-2.0
import Glibc
import Logging
import TestSupport
import Testing
import TintypeModel
import TintypeSystem

@testable import tintyped

/// Each test is a process of its own, which gets real signals.
struct ExitGuardTests {
    /// A guard whose log lines go to standard error as the daemon's do.
    static func exitGuard(clock: any MonotonicClock = .system, limit: Duration = ExitGuard.limit) -> ExitGuard {
        let writer = LogWriter { LogLine(.warning, $0, for: .journal) }
        let logger = Logger(label: "test") { _ in
            JournalLogHandler(reader: .journal, logLevel: .trace, write: writer.write)
        }
        return ExitGuard(clock: clock, logger: logger, limit: limit) { _ in writer.flush(within: .patience) }
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

    @Test func `a second signal after 200 ms ends the process at once`() async {
        let result = await #expect(processExitsWith: .exitCode(128 + SIGTERM), observing: [\.standardErrorContent]) {
            let clock = ManualClock()
            let exitGuard = Self.exitGuard(clock: clock, limit: .seconds(600))
            await exitGuard.arm()
            kill(getpid(), SIGINT)
            await exitGuard.waitForStop()
            clock.move(to: .milliseconds(201))
            kill(getpid(), SIGTERM)
            await Self.blockEverything()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("SIGTERM again: leaving at once."))
    }

    @Test func `a second signal within 200 ms is the first one again, and asks for a clean stop`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let clock = ManualClock()
            let exitGuard = Self.exitGuard(clock: clock, limit: .seconds(600))
            await exitGuard.arm()
            kill(getpid(), SIGTERM)
            await exitGuard.waitForStop()
            clock.move(to: .milliseconds(200))
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

    @Test func `the last log lines are given time, and 50 ms where the process is to be gone within a second`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let exitGuard = ExitGuard(clock: .system, logger: LineRecorder().logger) { limit in
                exit(limit == .seconds(10) ? 7 : 8)
            }
            exitGuard.leave(status: 1)
        }
        await #expect(processExitsWith: .exitCode(7)) {
            let exitGuard = ExitGuard(clock: .system, logger: LineRecorder().logger, limit: .zero) { limit in
                exit(limit == .milliseconds(50) ? 7 : 8)
            }
            exitGuard.requestStop(because: "test")
            await Self.blockEverything()
        }
    }

    @Test func `SIGHUP asks for a reload and SIGPIPE is an error of its write`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let exitGuard = ExitGuard(clock: .system, logger: LineRecorder().logger)
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
