// SPDX-License-Identifier: Apache-2.0
import Glibc
import Logging
import ServiceLifecycle
import Testing
import TintypeModel
import TintypeSystem

@testable import tintyped

/// Order of start and stop; exit status 7 of a test process is success.
struct DaemonTests {
    struct Serving: Service {
        let lines: LineRecorder
        let listening: @Sendable () async -> Void

        func run() async throws {
            await listening()
            try await gracefulShutdown()
            lines.logger.info("service ended")
        }
    }

    struct Failing: Service {
        func run() async throws { throw Problem(.internalError, "The socket is gone.", remedy: "Restart.") }
    }

    static func daemon(_ lines: LineRecorder, _ exitGuard: ExitGuard, notify: String? = nil) throws -> Daemon {
        Daemon(
            settings: try DaemonSettings(nil, DaemonFlags(socket: "/s", stopLimit: .seconds(600), workingFolder: "/")),
            clock: .system,
            logger: lines.logger,
            exitGuard: exitGuard,
            notifier: ServiceNotifier(address: notify, clock: .system, logger: lines.logger)
        )
    }

    @Test func `starts and stops in order and notifies systemd`() async {
        let result = await #expect(processExitsWith: .exitCode(7), observing: [\.standardErrorContent]) {
            let listener = try NotifyListener(address: "@tintyped-test-\(getpid())")
            let lines = LineRecorder()
            let exitGuard = ExitGuard(clock: .system, logger: lines.logger, limit: .seconds(600))
            let daemon = try Self.daemon(lines, exitGuard, notify: listener.address)
            let status = await daemon.run { listening in
                lines.logger.info("assembled")
                let serving = Serving(lines: lines) {
                    lines.logger.info("listening")
                    await listening()
                    exitGuard.requestStop(because: "test")
                }
                return Daemon.Parts(services: [serving], close: lines.close)
            }
            let order = lines.lines.compactMap { line in
                ["starting", "assembled", "listening", "serving", "service ended", "spool closed", "stopped"]
                    .first { line.dropFirst(3).hasPrefix($0) }
            }
            StandardError.write("order: \(order.joined(separator: ", "))")
            StandardError.write(lines.lines.joined(separator: "\n"))
            StandardError.write("said: \(listener.received().map(PrintableText.line).joined(separator: ", "))")
            exit(status == 0 ? 7 : 8)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let order = "starting, assembled, listening, serving, service ended, spool closed, stopped"
        #expect(text.contains("order: \(order)\n"), "\(text)")
        let said = #"READY=1\nSTATUS=Serving every camera that is found on /s, STOPPING=1\nSTATUS=Stopping"#
        #expect(text.contains("said: \(said)\n"), "\(text)")
    }

    @Test func `a failed start logs its remedy and returns status 1`() async throws {
        let lines = LineRecorder()
        let daemon = try Self.daemon(lines, ExitGuard(clock: .system, logger: lines.logger))
        let status = await daemon.run { _ in
            throw Problem(.spoolUnavailable, "mkdir /x: permission denied.", remedy: "Give another folder.")
        }
        #expect(status == 1)
        #expect(lines.lines.contains("<2>mkdir /x: permission denied. Give another folder."))
    }

    @Test func `a failed service closes the spool and returns status 1`() async throws {
        let lines = LineRecorder()
        let daemon = try Self.daemon(lines, ExitGuard(clock: .system, logger: lines.logger))
        let status = await daemon.run { _ in
            Daemon.Parts(
                services: [Failing(), Serving(lines: lines) {}],
                close: lines.close
            )
        }
        #expect(status == 1)
        #expect(lines.lines.contains("<2>The socket is gone. Restart."))
        #expect(lines.lines.contains("<6>service ended"))
        #expect(lines.lines.contains("<6>spool closed"))
        #expect(lines.lines.last == "<5>stopped")
    }

    @Test func `a stop that could not close a spool in time says so`() async throws {
        let lines = LineRecorder()
        let daemon = try Self.daemon(lines, ExitGuard(clock: .system, logger: lines.logger))
        let status = await daemon.run { _ in Daemon.Parts(services: [Failing()], close: { _ in false }) }
        #expect(status == 1)
        #expect(lines.lines.last?.hasPrefix("<4>stopped before a spool was closed") == true, "\(lines.lines)")
    }
}

extension LineRecorder {
    @Sendable fileprivate func close(by deadline: MonotonicTime) async -> Bool {
        logger.info("spool closed")
        return true
    }
}
