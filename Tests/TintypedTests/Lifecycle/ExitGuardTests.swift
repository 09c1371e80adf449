// SPDX-License-Identifier: Apache-2.0
import Glibc
import Logging
import TestSupport
import Testing
import TintypeModel
import TintypeSystem

@testable import tintyped

/// Real signals, in a separate process for each test.
struct ExitGuardTests {
    /// Guard that logs to standard error like the daemon.
    static func exitGuard(clock: any MonotonicClock = .system, limit: Duration = ExitGuard.limit) -> ExitGuard {
        let writer = LogWriter(for: .journal)
        let logger = Logger(label: "test") { _ in
            JournalLogHandler(reader: .journal, logLevel: .trace, write: writer.write)
        }
        return ExitGuard(clock: clock, logger: logger, limit: limit) { _ in writer.flush(within: .patience) }
    }

    /// Blocks every thread of the cooperative pool forever.
    static func blockEverything() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<64 { group.addTask { while true { pause() } } }
        }
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `a hanging process exits and logs the unfinished part`(_ signal: CInt) async throws {
        let result = await #expect(processExitsWith: .exitCode(0), observing: [\.standardErrorContent]) {
            [signal] in
            let exitGuard = Self.exitGuard()
            try exitGuard.arm()
            exitGuard.beginPart("the services")
            exitGuard.beginPart("closing the spool")
            kill(getpid(), signal)
            await Self.blockEverything()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("<4>leaving without a clean stop unfinished=\"closing the spool\""), "\(text)")
        #expect(text.contains("<5>stopping reason=\(signal == SIGINT ? "SIGINT" : "SIGTERM")"), "\(text)")
    }

    @Test func `a second signal after 200 ms exits at once`() async {
        let result = await #expect(processExitsWith: .exitCode(128 + SIGTERM), observing: [\.standardErrorContent]) {
            let clock = ManualClock()
            let exitGuard = Self.exitGuard(clock: clock, limit: .seconds(600))
            try exitGuard.arm()
            kill(getpid(), SIGINT)
            await exitGuard.waitForStop()
            clock.move(to: .milliseconds(201))
            kill(getpid(), SIGTERM)
            await Self.blockEverything()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("SIGTERM again: leaving at once."))
    }

    @Test func `a second signal within 200 ms still allows a clean stop`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let clock = ManualClock()
            let exitGuard = Self.exitGuard(clock: clock, limit: .seconds(600))
            try exitGuard.arm()
            kill(getpid(), SIGTERM)
            await exitGuard.waitForStop()
            clock.move(to: .milliseconds(200))
            kill(getpid(), SIGINT)
            // Signals are handled in order.
            kill(getpid(), SIGHUP)
            for await _ in exitGuard.reloadRequests { break }
            exitGuard.leave(status: 7)
        }
    }

    @Test func `the clean stop after a signal sets the exit status`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let exitGuard = Self.exitGuard(limit: .seconds(600))
            try exitGuard.arm()
            precondition(!exitGuard.isStopping)
            kill(getpid(), SIGTERM)
            await exitGuard.waitForStop()
            precondition(exitGuard.isStopping)
            exitGuard.leave(status: 7)
        }
    }

    @Test func `a stop requested before the wait is not lost`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let exitGuard = Self.exitGuard(limit: .seconds(600))
            exitGuard.requestStop(because: "test")
            precondition(!exitGuard.requestStop(because: "test"))
            await exitGuard.waitForStop()
            exitGuard.leave(status: 7)
        }
    }

    @Test func `an exit waits up to 10 s for the last log lines`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let exitGuard = ExitGuard(clock: .system, logger: LineRecorder().logger) { limit in
                exit(limit == .seconds(10) ? 7 : 8)
            }
            exitGuard.leave(status: 1)
        }
    }

    @Test func `an exit after a stop timeout waits up to 50 ms for the last log lines`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let exitGuard = ExitGuard(clock: .system, logger: LineRecorder().logger, limit: .zero) { limit in
                exit(limit == .milliseconds(50) ? 7 : 8)
            }
            try exitGuard.arm()
            exitGuard.requestStop(because: "test")
            await Self.blockEverything()
        }
    }

    @Test func `SIGHUP requests a reload`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let exitGuard = ExitGuard(clock: .system, logger: LineRecorder().logger)
            try exitGuard.arm()
            kill(getpid(), SIGHUP)
            for await _ in exitGuard.reloadRequests { break }
            exit(7)
        }
    }

    @Test func `a write to a closed pipe fails with EPIPE`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let exitGuard = ExitGuard(clock: .system, logger: LineRecorder().logger)
            try exitGuard.arm()
            var ends: [CInt] = [0, 0]
            _ = unsafe pipe(&ends)
            _ = close(ends[0])
            let count = unsafe write(ends[1], [UInt8(0)], 1)
            exit(count == -1 && errno == EPIPE ? 7 : 8)
        }
    }
}
