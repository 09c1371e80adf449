// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeClient
internal import TintypeModel

extension Processes {
    /// `tintype calibrate` in a terminal that the test pattern looks at.
    @Suite struct CalibrationTests {
        /// Runs the shell's line ARGV[2] in a terminal of its own, and switches the lamp of the file ARGV[1] as the terminal
        /// changes.
        ///
        /// Prints the exit status, and whether the terminal is left as it was. After ARGV[3] changes, unless that is 0, it
        /// sends the line the signal ARGV[4].
        private static let terminal = """
            import os, pty, sys, time
            light, line, most, signal = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
            child, terminal = pty.fork()
            if child == 0:
                os.execv("/bin/sh", ["sh", "-c", line])
            text, changes = b"", 0
            while True:
                try:
                    part = os.read(terminal, 65536)
                except OSError:
                    part = b""
                if not part:
                    break
                now, text = time.monotonic_ns(), text + part
                seen = max(0, text.count(b"\\x1b[107m") + text.count(b"\\x1b[40m") - 1)
                with open(light, "a") as file:
                    while changes < seen:
                        file.write(f"{now}\\n")
                        changes += 1
                if most and changes >= most:
                    os.kill(child, signal)
                    most = 0
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            begins, ends = text.count(b"\\x1b[?1049h"), text.count(b"\\x1b[?1049l")
            print(status, begins, ends, text.rfind(b"\\x1b[?1049l") > text.rfind(b"\\x1b[2J"))
            """

        private func run(
            _ site: Site,
            _ light: String,
            _ options: String,
            interruptAfter most: Int = 0,
            by signal: CInt = SIGINT
        ) async throws -> String {
            let line = "exec \(Programs.command) --socket \(site.socket) calibrate pattern \(options)"
            return try await site.python(Self.terminal, light, line, "\(most)", "\(signal)")
        }

        @Test
        func `the lead that a flashing terminal shows is used, kept over a restart, and forgotten`() async throws {
            try await Site.with { site in
                let light = try site.write("", to: "light")
                let pattern = "GREY:64x48@30,arrival-stamps,lead=75ms,exposure=10ms,readout=10ms,light=\(light)"
                let daemon = try await site.startDaemon([pattern])
                let output = "\(site.folder)/calibration.json"
                #expect(try await run(site, light, "--flashes 12 --save --json > \(output)") == "0 1 1 True")
                let calibration = try WireFormat.decode(
                    Calibration.self,
                    from: [UInt8](Data(contentsOf: URL(filePath: output)))
                )
                #expect(calibration.saved && calibration.flashes == 12 && calibration.seen >= 10, "\(calibration)")
                // And what it takes this test to see a change, less what it takes the command to see that it is shown;
                // on a busy machine each can be some time. CalibrationOutputTests hold the lead to 3 ms.
                let lead = calibration.leadMs.duration
                #expect((.milliseconds(40)...(.milliseconds(275))).contains(lead), "\(calibration)")
                func used() async throws -> CameraStatus {
                    _ = try await site.client.picture(
                        of: "pattern",
                        StillRequest(fresh: .next, deadline: .patience, keep: false)
                    )
                    return try await site.client.camera("pattern")
                }
                #expect(try await used().leadOrigin == .calibrated)
                #expect(try await site.tintype("status", "pattern").text.contains("stamp, calibrated\n"))
                daemon.signal(SIGTERM)
                #expect(try await daemon.outcome().status == 0)
                _ = try await site.startDaemon([pattern])
                let again = try await used()
                #expect(again.leadOrigin == .calibrated && again.leadMs == calibration.leadMs)
                #expect(try await site.tintype("calibrate", "pattern", "--forget").status == 0)
                #expect(try await used().leadOrigin == .assumed)
                #expect(try await site.tintype("calibrate", "pattern", "--forget").status == 13)
            }
        }

        @Test func `a camera that does not see the terminal is exit status 38`() async throws {
            try await Site.serving("GREY:64x48@30") { site, _ in
                let status = try await run(site, "/dev/null", "--flashes 8")
                #expect(status == "38 1 1 True")
            }
        }

        @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
        func `a calibration that is interrupted leaves the terminal as it was`(_ signal: CInt) async throws {
            try await Site.serving("GREY:64x48@30") { site, _ in
                let status = try await run(site, "/dev/null", "--flashes 200", interruptAfter: 2, by: signal)
                #expect(status == "\(128 + signal) 1 1 True")
                try await eventually("the calibration has ended") {
                    try await site.client.camera("pattern").waiting == 0
                }
            }
        }

        @Test func `flashes of other centuries, and more than a slow camera sees in time, are refused`() async throws {
            try await Site.serving("GREY:64x48@1") { site, _ in
                for seconds in [253_402_300_000, -62_135_596_800] as [Int64] {
                    let flashes = (0..<8).map { Timestamp(microseconds: (seconds + $0) * 1_000_000) }
                    let problem = await #expect(throws: Problem.self) {
                        try await site.client.tell(FlashList(flashes), of: "pattern")
                    }
                    #expect(problem?.code == .notFound)
                }
                let status = try await run(site, "/dev/null", "--flashes 100")
                #expect(status == "10 0 0 False")
            }
        }

        @Test func `without a terminal it says what to do`() async throws {
            try await Site.serving("GREY:64x48@30") { site, _ in
                let outcome = try await site.shell("setsid --wait tintype calibrate pattern < /dev/null")
                #expect(outcome.status == 10)
                #expect(outcome.errors.contains("There is no terminal that could flash"), "\(outcome.errors)")
                #expect(outcome.errors.contains("flash another light"), "\(outcome.errors)")
                #expect(try await site.client.camera("pattern").counters.opened == 0)
            }
        }
    }
}
