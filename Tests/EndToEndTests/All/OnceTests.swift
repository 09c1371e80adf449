// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel

extension Processes {
    /// `tintype still --once`: a still without a running daemon.
    @Suite struct OnceTests {
        @Test func `takes a still without a daemon and leaves nothing behind`() async throws {
            try await Self.leavingNothing { site, environment in
                let options = ["--pattern", "MJPG:640x360@30", "--width", "320", "-o", "picture.jpg", "--json"]
                let still = try await Self.once(site, environment, options)
                #expect(still.status == 0, "\(still.errors)")
                #expect(still.errors.isEmpty, "\(still.errors)")
                let record = try still.read(StillRecord.self)
                #expect(record.camera == "pattern" && record.width == 320 && record.stored == .no)
                #expect(try await site.size(of: "\(site.folder)/picture.jpg") == "320x180")
            }
        }

        @Test func `writes only the picture to a pipe`() async throws {
            try await Self.leavingNothing { site, _ in
                let line = "tintype still --once --pattern YUYV:640x360@30 -o - | djpeg -outfile picture.ppm"
                let outcome = try await site.shell(line)
                #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
                #expect(try Data(contentsOf: URL(filePath: "\(site.folder)/picture.ppm")).count == 640 * 360 * 3 + 15)
            }
        }

        @Test(arguments: [SIGINT, SIGTERM, SIGKILL], ["stall-after=0", "hang-at=STREAMON,hang=60"])
        func `the private daemon ends when a signal ends the command`(signal: Int32, fault: String) async throws {
            try await Self.leavingNothing { site, environment in
                let pattern = "YUYV:640x360@30,\(fault)"
                let arguments = ["still", "--once", "--pattern", pattern, "--deadline", "60s", "-o", "picture.jpg"]
                let command = try site.start(Programs.command, arguments, environment: environment)
                let daemon: pid_t = try await eventually("its daemon has opened the camera") {
                    Self.daemon(of: command.pid).flatMap { ProcessFiles(pid: $0).timers > 0 ? $0 : nil }
                }
                command.signal(signal)
                #expect(try await command.outcome().status == 128 + signal)
                // A process with a reused id has another command line.
                try await eventually("its daemon ends") { !Self.commandLine(daemon).contains("--private") }
                #expect(!FileManager.default.fileExists(atPath: "\(site.folder)/picture.jpg"))
            }
        }

        @Test(
            arguments: [
                (["--pattern", "YUYV:640x360@30,busy"], ProblemCode.cameraBusy.exitStatus, ["leave out --once"]),
                (["--pattern", "YUYV:640x360@30,deny", "--deadline", "30s"], ProblemCode.cameraDenied.exitStatus, []),
                (
                    ["--pattern", "YUYV:640x360@0.001", "--deadline", "300ms"], ProblemCode.deadlineExceeded.exitStatus,
                    []
                ),
                (["--device", "/dev/video-none"], ProblemCode.deviceLost.exitStatus, ["/dev/video-none"]),
                (["--pattern", "XXXX"], 2, ["“XXXX” is no format of the test pattern.", "ended with status 64"]),
            ] as [([String], Int32, [String])]
        )
        func `each failure has its exit status and its reason`(
            _ options: [String],
            _ status: Int32,
            _ words: [String]
        ) async throws {
            try await Self.leavingNothing { site, environment in
                let still = try await Self.once(site, environment, options + ["-o", "picture.jpg"])
                #expect(still.status == status, "\(still.errors)")
                for word in words { #expect(still.errors.contains(word), "\(still.errors)") }
                // Without words of its own, its remedy names no service.
                for word in words.isEmpty ? ["tintype status", "daemon", "systemctl"] : [] {
                    #expect(!still.errors.contains(word), "\(still.errors)")
                }
                #expect(!FileManager.default.fileExists(atPath: "\(site.folder)/picture.jpg"))
            }
        }

        @Test func `a private daemon without a client suggests tintype still --once`() async throws {
            try await Site.with { site in
                // Its standard input is /dev/null.
                let outcome = try await site.start(Programs.daemon, ["--private", "--pattern", "YUYV"]).outcome()
                #expect(outcome.status == 1)
                #expect(outcome.errors.contains("tintype still --once"), "\(outcome.errors)")
            }
        }

        @Test(.enabled(if: Self.hidesFiles, "a mount namespace of our own cannot be had here"))
        func `ignores the system configuration`() async throws {
            try await Self.leavingNothing { site, _ in
                let spec = "--pattern YUYV:640x360@30"
                // The second line shows that the daemon would read and refuse this file.
                let outcome = try await site.shell(
                    """
                    unshare --mount --map-root-user bash -euc '
                    mount -t tmpfs none /etc; mkdir /etc/tintype; echo wrong > /etc/tintype/tintyped.yaml
                    ! tintyped --check \(spec) 2> refused
                    tintype still --once \(spec) --deadline 10m -o picture.jpg'
                    """
                )
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(try String(contentsOfFile: "\(site.folder)/refused", encoding: .utf8).contains("tintyped.yaml"))
                #expect(FileManager.default.fileExists(atPath: "\(site.folder)/picture.jpg"))
            }
        }

        @Test func `the private daemon sends nothing to NOTIFY_SOCKET`() async throws {
            try await Self.leavingNothing { site, _ in
                let options = ["--pattern", "YUYV:640x360@30", "--deadline", "10m", "-o", "picture.jpg"]
                let once = [site.socket, Programs.command, "still", "--once"] + options
                let heard = try await site.python("hear-nothing", once)
                #expect(heard == "nothing")
            }
        }

        /// True if this user may mount in a private mount namespace.
        private static let hidesFiles =
            (try? ProgramOutput(of: ["unshare", "--mount", "--map-root-user", "mount", "-t", "tmpfs", "none", "/etc"]))?
            .status == 0

        /// Runs `tintype still --once` with these options.
        private static func once(
            _ site: Site,
            _ environment: [String: String],
            _ options: [String]
        ) async throws -> Child.Outcome {
            // The start of the daemon is no part of what is tested.
            let deadline = options.contains("--deadline") ? [] : ["--deadline", "10m"]
            let arguments = ["still", "--once"] + options + deadline
            return try await site.start(Programs.command, arguments, environment: environment).outcome()
        }

        /// Runs `body` with a site and an environment, then expects no temporary file and no private daemon.
        private static func leavingNothing(_ body: (Site, [String: String]) async throws -> Void) async throws {
            try await Site.with { site in
                let temporary = "\(site.folder)/temporary"
                try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: false)
                try await body(site, ["TMPDIR": temporary, "XDG_RUNTIME_DIR": temporary])
                #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
                let left = processes { commandLine($0).contains("--private") && folder($0) == site.folder }
                #expect(left.isEmpty, "\(left.map(commandLine))")
            }
        }

        /// Private daemon started by the command with this process id.
        private static func daemon(of parent: pid_t) -> pid_t? {
            processes { pid in
                let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
                return status.contains("\nPPid:\t\(parent)\n") && commandLine(pid).contains("--private")
            }.first
        }

        private static func processes(_ isMeant: (pid_t) -> Bool) -> [pid_t] {
            ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }
                .filter(isMeant)
        }

        private static func commandLine(_ pid: pid_t) -> String {
            (try? String(contentsOfFile: "/proc/\(pid)/cmdline", encoding: .utf8)) ?? ""
        }

        private static func folder(_ pid: pid_t) -> String? {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/cwd")
        }
    }
}
