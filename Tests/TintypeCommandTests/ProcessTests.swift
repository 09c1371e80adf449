// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel

struct ProcessTests {
    /// A picture larger than the buffer of a pipe.
    private static let picture = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

    private static func answer(_ request: FakeDaemon.Request) -> FakeDaemon.Reply {
        let path = request.target.prefix { $0 != "?" }
        switch (request.method, path) {
        case ("GET", "/v1/cameras"): return .json(CameraList(cameras: [Sample.camera]))
        case ("GET", "/v1/cameras/front"): return .json(Sample.camera)
        case ("GET", "/v1/cameras/front/formats"): return .json(FormatList(formats: []))
        case ("POST", "/v1/cameras/front/start"), ("POST", "/v1/cameras/front/stop"): return .json(Sample.camera)
        case ("POST", "/v1/cameras/front/tolerance/reset"): return .json(Sample.camera)
        case ("POST", "/v1/cameras/front/hold"): return .json(Sample.hold)
        case ("POST", "/v1/cameras/front/trigger"): return .json(Sample.trigger, status: 202)
        case ("POST", "/v1/cameras/front/scan"):
            var report = Sample.scan
            if request.body.contains(UInt8(ascii: "7")) { report.codes = [] }
            return .json(report)
        case ("POST", "/v1/cameras/front/release"):
            let left = String(decoding: request.body, as: UTF8.self) == "{}" ? [] : [Sample.hold]
            return .json(HoldList(holds: left))
        case ("POST", "/v1/reload"):
            var report = ReloadReport()
            (report.kept, report.changed, report.added, report.removed) = (["a", "b"], ["c"], ["d"], ["e"])
            return .json(report)
        case ("POST", "/v1/cameras/front/stills"): return .json(StillList(stills: [Sample.record]), status: 201)
        case ("GET", "/v1/cameras/front/still.jpg"): return .http(200, Sample.pictureHeaders, picture)
        default: return .problem(Sample.problem)
        }
    }

    private func running(_ body: (BuiltCommand, FakeDaemon) async throws -> Void) async throws {
        try await BuiltCommand.asking(Self.answer, body)
    }

    @Test func `a stored still prints only its path`() async throws {
        try await running { command, daemon in
            let outcome = try await command.run("still")
            #expect(outcome.status == 0)
            #expect(outcome.text == "/spool/front/a.jpg\n")
            #expect(outcome.errors == "")
            #expect(daemon.log.connections == 1)
            let verbose = try await command.run("still", "front", "-v")
            #expect(verbose.text == "/spool/front/a.jpg\n")
            #expect(verbose.errors.contains("wait 8 ms, encode 3 ms"))
        }
    }

    @Test func `JSON output decodes to the values of the daemon`() async throws {
        try await running { command, _ in
            #expect(try await command.run("cameras", "--json").read(CameraList.self).cameras == [Sample.camera])
            #expect(try await command.run("--json", "status", "front").read(CameraStatus.self) == Sample.camera)
            #expect(try await command.run("formats", "--json").read(FormatList.self).formats.isEmpty)
            let stills = try await command.run("still", "--json")
            #expect(try stills.read(StillList.self).stills == [Sample.record])
            #expect(stills.text.hasSuffix("}\n"))
        }
    }

    @Test func `a terminal may have any number of columns`() async throws {
        try await running { command, _ in
            for columns in ["9223372036854775807", "99999999999999999999", "0"] {
                let outcome = try await command.terminal("COLUMNS=\(columns) $T cameras")
                #expect(outcome.status == 0 && outcome.text.contains("front"), "\(columns): \(outcome.text)")
            }
        }
    }

    @Test(arguments: [(Health.Level.ok, Int32(0)), (.degraded, 4), (.failing, 5)])
    func `status prints health and cameras and exits by health`(
        _ level: Health.Level,
        _ status: Int32
    ) async throws {
        let reason = HealthReason(.spoolFull, spool: "default", "The spool /spool is full.", remedy: "Make room.")
        let health = Health(status: level, version: "0.0.1", reasons: level == .ok ? nil : [reason])
        let answer = { @Sendable (request: FakeDaemon.Request) -> FakeDaemon.Reply in
            request.target == "/healthz" ? .json(health, status: level.httpStatus) : Self.answer(request)
        }
        try await BuiltCommand.asking(answer) { command, daemon in
            let outcome = try await command.run("status")
            #expect(outcome.status == status)
            let reasons = level == .ok ? "" : "  spool-full: The spool /spool is full.\n    remedy: Make room.\n"
            let start = "tintyped 0.0.1 at \(daemon.socket): \(level.rawValue)\n\(reasons)\nfront: running\n"
            #expect(outcome.text.hasPrefix(start), "\(outcome.text)")
            let json = try await command.run("status", "--json")
            #expect(json.status == outcome.status)
            #expect(json.text.contains("\"status\" : \"\(level.rawValue)\"") && json.text.contains("\"cameras\""))
        }
    }

    @Test func `hold, release, start and stop print one line each`() async throws {
        try await running { command, daemon in
            let held = try await command.run("hold", "--for", "10m", "--owner", "ann")
            #expect(held.text == "front: held by ann until 1970-01-01T00:00:01.000000Z\n")
            #expect(
                String(decoding: daemon.log.requests.last?.body ?? [], as: UTF8.self)
                    == #"{"forMs":600000,"owner":"ann"}"#
            )
            let json = try await command.run("hold", "front", "--for", "10m", "--json")
            #expect(try json.read(CameraHold.self) == Sample.hold)
            let released = try await command.run("release", "--owner", "bob")
            #expect(released.text == "front: released, still held by ann until 1970-01-01T00:00:01.000000Z\n")
            #expect(try await command.run("release", "--all").text == "front: released\n")
            #expect(try await command.run("start").text == "front: started at MJPG:1280x720@30\n")
            #expect(try await command.run("stop", "front").text == "front: stopped\n")
            let refused = try await command.run("stop", "back")
            #expect(refused.status == ProblemCode.deviceLost.exitStatus)
        }
    }

    @Test func `a trigger prints the pictures that are stored`() async throws {
        try await running { command, daemon in
            let told = try await command.shell(
                "$T trigger --before 5s --after 1m --nth 2 --tag door --tag bell"
            )
            let time = "1970-01-01T00:00:01.000000Z"
            #expect(told.status == 0 && told.errors == "")
            #expect(told.text == "front: stores the pictures from \(time) to \(time), tagged door, bell\n")
            let body = #"{"afterMs":60000,"beforeMs":5000,"clip":false,"nth":2,"tags":["door","bell"]}"#
            #expect(String(decoding: daemon.log.requests.last?.body ?? [], as: UTF8.self) == body)
            let json = try await command.run("trigger", "front", "--json")
            #expect(try json.read(TriggerReport.self) == Sample.trigger)
            let standard = #"{"afterMs":10000,"clip":false,"nth":1,"tags":["trigger"]}"#
            #expect(String(decoding: daemon.log.requests.last?.body ?? [], as: UTF8.self) == standard)
            #expect(try await command.run("trigger", "back").status == ProblemCode.deviceLost.exitStatus)
        }
    }

    @Test func `a scan prints a code a line, and fails without one`() async throws {
        try await running { command, daemon in
            let told = try await command.shell("$T scan --deadline 3s")
            #expect(told.status == 0 && told.errors == "")
            #expect(told.text == "QR-Code https://example.org/?a=b\nCODE-128 TINTYPE 42\n")
            #expect(String(decoding: daemon.log.requests.last?.body ?? [], as: UTF8.self) == #"{"deadlineMs":3000}"#)
            let json = try await command.run("scan", "front", "--json")
            #expect(try json.read(ScanReport.self) == Sample.scan)
            let none = try await command.shell("$T scan --deadline 7s")
            #expect(none.status == 1 && none.text == "" && none.errors == "")
            #expect(try await command.run("scan", "back").status == ProblemCode.deviceLost.exitStatus)
        }
    }

    @Test func `a reload prints the kept, changed, added and removed cameras`() async throws {
        try await running { command, _ in
            let text = try await command.run("reload").text
            #expect(text == "The configuration was read again.\nkept: a b\nchanged: c\nadded: d\nremoved: e\n")
        }
    }

    @Test func `a token is printed on stdout and its quoted rule on stderr, without a daemon`() async throws {
        let outcome = try await BuiltCommand.alone.run("token", "null", "--camera", "12", "--camera", "yes")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text.wholeMatch(of: /tt_[A-Za-z0-9_-]{43}\n/) != nil)
        let end = #"", name: "null", role: view, cameras: ["12", "yes"]}"#
        #expect(outcome.errors.hasPrefix("For the configuration, below access:\n  - {token: \"sha256:"))
        #expect(outcome.errors.hasSuffix("\(end)\n"), "\(outcome.errors)")
        let json = try await BuiltCommand.alone.run("token", "dash", "--json")
        #expect(try json.read(NewToken.self).token.hasPrefix("tt_") && json.errors.isEmpty)
    }

    @Test func `token --add appends the rule to a file that every user may read`() async throws {
        try await withTemporaryFolder { folder in
            let file = "\(folder)/tokens"
            for name in ["one", "two"] {
                let outcome = try await BuiltCommand.alone.run("token", "--add", name, "--file", file)
                #expect(outcome.status == 0 && outcome.text.hasPrefix("tt_"), "\(outcome.errors)")
                #expect(outcome.errors.hasPrefix("\(file) has the rule."))
            }
            let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            #expect(lines.count == 3 && lines[0] == "access:")
            #expect(lines[2].hasPrefix("  - {token: \"sha256:") && lines[2].hasSuffix("name: \"two\", role: view}"))
            #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o644)
            let refused = try await BuiltCommand.alone.run("token", "--add", "one", "--file", "\(folder)/none/tokens")
            #expect(refused.status != 0 && refused.text.isEmpty)
            let second = try await BuiltCommand.alone.run("token", "--add", "one", "--file", file)
            #expect(second.status != 0 && second.text.isEmpty && second.errors.contains("has a token “one”."))
        }
    }

    @Test func `token --add adds to a file without a final newline`() async throws {
        try await withTemporaryFolder { folder in
            let file = "\(folder)/tokens"
            try "# mine".write(toFile: file, atomically: false, encoding: .utf8)
            for name in ["one", "two"] {
                #expect(try await BuiltCommand.alone.run("token", "--add", name, "--file", file).status == 0)
                let text = try String(contentsOfFile: file, encoding: .utf8)
                try String(text.dropLast()).write(toFile: file, atomically: false, encoding: .utf8)
            }
            let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            #expect(lines.count == 4 && lines[0] == "# mine" && lines[1] == "access:", "\(lines)")
            #expect(lines[2].contains("\"one\"") && lines[3].contains("\"two\""))
            #expect(try await BuiltCommand.alone.run("token", "me", "--file", file).status != 0)
        }
    }

    @Test func `tolerance prints the tolerance and resets it`() async throws {
        try await running { command, daemon in
            let told = try await command.run("tolerance")
            #expect(told.text == "front: no tolerance\n")
            #expect(daemon.log.requests.last?.method == "GET")
            let reset = try await command.run("tolerance", "front", "--reset")
            #expect(reset.text == "front: no tolerance\n")
            #expect(daemon.log.requests.last?.target == "/v1/cameras/front/tolerance/reset")
        }
    }

    @Test func `a picture is written to a file or to stdout`() async throws {
        try await running { command, daemon in
            let outcome = try await command.run("still", "-o", "a.jpg")
            #expect(outcome.status == 0)
            #expect(outcome.text == "")
            #expect(try command.bytes("a.jpg") == Self.picture)
            #expect(Set(try FileManager.default.contentsOfDirectory(atPath: daemon.folder)) == ["a.jpg", "s.sock"])
            // Not stored by default.
            #expect(daemon.log.requests.last?.target.contains("keep") == false)
            let piped = try await command.run("still", "-o", "-", "--keep", "--max-age", "1s")
            #expect(piped.output == Self.picture)
            #expect(daemon.log.requests.last?.target.contains("maxAgeMs=1000") == true)
            #expect(daemon.log.requests.last?.target.contains("keep=true") == true)
        }
    }

    @Test func `a path to stdout is handled as stdout`() async throws {
        try await running { command, daemon in
            let outcome = try await command.shell(
                "ln -s /proc/self/fd/1 out; exec 3> gone; rm gone; $T still -o out >&3 && cat /proc/self/fd/3"
            )
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output == Self.picture)
            let link = try FileManager.default.destinationOfSymbolicLink(atPath: "\(daemon.folder)/out")
            #expect(link == "/proc/self/fd/1")
            let terminal = try await command.terminal("$T still -o out")
            #expect(terminal.text.contains("stdout is a terminal"), "\(terminal.text)")
            // A closed stdout does not prevent output to another file.
            #expect(try await command.shell("$T still -o /dev/null >&-").status == 0)
        }
    }

    @Test func `a signal ends a burst that is blocked on its output`() async throws {
        try await running { command, _ in
            // Descriptor 3 keeps the full pipe open without reading from it.
            let script = """
                mkfifo p; exec 3<> p; head -c 65536 /dev/zero >&3
                $T burst front --count 2 --every 1ms -o p 3>&- & pid=$!
                until [ /proc/$pid/exe -ef "$T" ] && ls -l /proc/$pid/fd | grep -q '/p$'; do
                    kill -0 $pid || exit 1; sleep 0.1
                done
                kill -TERM $pid; wait $pid
                """
            let outcome = try await command.shell(script)
            #expect(outcome.status == 143)
        }
    }

    @Test func `a burst keeps ignoring an ignored signal`() async throws {
        try await FakeDaemon.serving(always: .silence) { daemon in
            let command = BuiltCommand(folder: daemon.folder, socket: daemon.socket)
            let outcome = try await command.interrupting(
                "trap '' HUP; exec $T burst front --count 2",
                by: SIGHUP,
                SIGTERM,
                asking: daemon
            )
            #expect(outcome.status == 143)
            #expect(outcome.errors.hasPrefix("tintype: Interrupted after 0 pictures."), "\(outcome.errors)")
        }
    }

    @Test func `a problem is printed as text or JSON with its exit status`() async throws {
        try await running { command, _ in
            let outcome = try await command.run("formats", "back")
            #expect(outcome.status == ProblemCode.deviceLost.exitStatus)
            #expect(outcome.errors == "tintype: The camera front is gone.\nPlug it in again.\n")
            #expect(outcome.text == "")
            let json = try await command.run("formats", "back", "--json")
            #expect(json.status == ProblemCode.deviceLost.exitStatus)
            #expect(try json.problem == Sample.problem)
        }
    }

    @Test func `exit status is 2 without a daemon, 64 for wrong usage and 0 for help`() async throws {
        let command = BuiltCommand.alone
        let outcome = try await command.run("cameras")
        #expect(outcome.status == 2)
        #expect(outcome.errors.hasPrefix("tintype: tintyped does not seem to run: there is no socket at /nowhere"))
        #expect(outcome.errors.contains("systemctl start tintyped") && !outcome.errors.contains("--once"))
        for options in ["", "-o a.jpg"] {
            let still = try await command.shell("$T still \(options)")
            #expect(still.status == 2 && still.errors.contains("“tintype still --once -o FILE”"), "\(still.errors)")
        }
        #expect(try await command.run("still", "--fresh", "now").status == 64)
        #expect(try await command.run("nonsense").status == 64)
        #expect(try await command.run("--help").status == 0)
        #expect(try await command.run("--version").text == "\(TintypeVersion.current)\n")
        #expect(try await command.run("--generate-completion-script", "bash").text.contains("complete"))
    }

    @Test func `an argument that is not UTF-8 is refused`() async throws {
        try await running { command, daemon in
            let outcome = try await command.shell(#"$T still -o $'caf\xe9.jpg'"#)
            #expect(outcome.status == 64)
            #expect(outcome.errors.contains("The argument “caf\u{FFFD}.jpg” is not UTF-8"), "\(outcome.errors)")
            #expect(daemon.log.requests.isEmpty)
            // A valid name may contain the replacement character.
            #expect(try await command.run("still", "-o", "caf\u{FFFD}.jpg").status == 0)
        }
    }

    @Test func `the bash completion is valid and has every command and option`() async throws {
        let outcome = try await BuiltCommand.alone.shell(
            "set -o pipefail; $T --generate-completion-script bash | tee /dev/stderr | bash -n"
        )
        #expect(outcome.status == 0, "\(outcome.errors.suffix(500))")
        for word in ["burst", "still", "--no-lossless", "--every", "--tag", "tolerant"] {
            #expect(outcome.errors.contains(word), "\(word)")
        }
    }

    @Test func `a full device is exit status 74`() async throws {
        try await running { command, _ in
            let outcome = try await command.run("still", "-o", "/dev/full")
            #expect(outcome.status == 74)
            #expect(
                outcome.errors == "tintype: write to /dev/full: no space left on device.\n"
                    + "Make room there, or give a path on another disk.\n"
            )
            let piped = try await command.shell("$T still -o - > /dev/full")
            #expect(piped.status == 74)
            for text in ["--help", "--version", "--generate-completion-script bash"] {
                #expect(try await command.shell("$T \(text) > /dev/full").status == 74, "\(text)")
            }
        }
    }

    @Test func `a full stderr does not fail a still or a burst`() async throws {
        try await running { command, _ in
            let stored = try await command.shell("$T still front -v 2> /dev/full")
            #expect(stored.status == 0 && stored.text == "/spool/front/a.jpg\n")
            let written = try await command.shell("$T still front -v -o %i.jpg 2> /dev/full")
            #expect(written.status == 0 && written.text == "1.jpg\n")
            let burst = try await command.shell("$T burst front -v --count 2 --every 1ms -o 2-%i.jpg 2> /dev/full")
            #expect(burst.status == 0 && burst.text == "2-1.jpg\n2-2.jpg\n")
        }
    }

    @Test func `a failed write leaves the existing file unchanged`() async throws {
        try await running { command, daemon in
            let outcome = try await command.shell("printf old > a.jpg; trap '' XFSZ; ulimit -f 100; $T still -o a.jpg")
            #expect(outcome.status == 74)
            #expect(outcome.errors.contains("file too large"))
            #expect(try command.bytes("a.jpg") == Array("old".utf8))
            let names = try FileManager.default.contentsOfDirectory(atPath: daemon.folder)
            #expect(Set(names) == ["a.jpg", "s.sock"])
        }
    }

    @Test func `a pipe without a reader is exit status 74, not a signal`() async throws {
        try await running { command, _ in
            // Descriptor 4 is the writing end of a pipe without a reader. env restores SIGPIPE, which the tests' process
            // ignores.
            let pipe = "mkfifo p; exec 3<>p; exec 4>p; exec 3>&-; exec env --default-signal=PIPE $T"
            let help = try await command.shell("\(pipe) --help >&4")
            #expect(!help.isSignalled)
            #expect(help.status == 74)
            let cameras = try await command.shell("rm p; \(pipe) cameras >&4")
            #expect(cameras.status == 74)
        }
    }

    @Test func `a non-blocking pipe gets the whole picture`() async throws {
        try await running { command, _ in
            // dd sets the flag on its stdout, the pipe, and leaves it set.
            let outcome = try await command.shell(
                """
                (dd if=/dev/null oflag=nonblock status=none; $T still -o -) | (sleep 0.5; cat)
                exit ${PIPESTATUS[0]}
                """
            )
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output == Self.picture)
        }
    }

    @Test func `a picture is not written to a terminal or to a closed stdout`() async throws {
        try await running { command, daemon in
            let terminal = try await command.terminal("$T still -o -")
            #expect(terminal.status == 74)
            #expect(terminal.text.contains("stdout is a terminal"))
            // No request is sent.
            #expect(daemon.log.requests.isEmpty)
            let closed = try await command.shell("$T still -o - >&-")
            #expect(closed.status == 74)
            #expect(closed.errors.contains("write to stdout: bad file descriptor."))
            // The picture is not sent back to the daemon.
            #expect(daemon.log.requests.allSatisfy { $0.body.isEmpty })
            let unread = try await command.shell("$T still -o - | head -c 10 > /dev/null; exit ${PIPESTATUS[0]}")
            // Without a message and without a signal.
            #expect(unread.status == 74 && unread.errors == "")
        }
    }

    @Test func `a blank picture is stored with a warning on stderr`() async throws {
        var black = Sample.record
        black.appearance = [.black, .uniform]
        let stills = StillList(stills: [black])
        var headers = Sample.pictureHeaders
        headers["Tintype-Appearance"] = black.appearance?.headerText
        let pictureHeaders = headers
        let answer: @Sendable (FakeDaemon.Request) -> FakeDaemon.Reply = { request in
            request.method == "POST" ? .json(stills, status: 201) : .http(200, pictureHeaders, Sample.jpeg)
        }
        try await BuiltCommand.asking(answer) { command, daemon in
            let warning = "tintype: The picture from front looks black and shows one uniform tone.\n"
            let stored = try await command.run("still", "front")
            #expect(stored.status == 0 && stored.text == "/spool/front/a.jpg\n")
            #expect(stored.errors.hasPrefix(warning), "\(stored.errors)")
            #expect(stored.errors.contains(" --reject black,uniform refuses such pictures."), "\(stored.errors)")
            let written = try await command.run("still", "front", "-o", "a.jpg")
            #expect(written.status == 0 && written.errors.hasPrefix(warning))
            let burst = try await command.run("burst", "front", "--count", "2", "-o", "%i.jpg")
            #expect(burst.errors.hasPrefix("tintype: Of 2 pictures from front, 2 look black, 2 show one uniform tone."))
            // In JSON, the record has the appearance.
            #expect(try await command.run("still", "front", "--json").errors == "")
        }
    }
}
