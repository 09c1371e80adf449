// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel

struct DoctorProcessTests {
    private func running(
        _ cameras: [CameraStatus] = [Self.camera],
        examined: FakeDaemon.Reply = Self.examination(),
        _ body: (BuiltCommand, FakeDaemon) async throws -> Void
    ) async throws {
        let answer: @Sendable (FakeDaemon.Request) -> FakeDaemon.Reply = { request in
            switch (request.method, request.target) {
            case ("GET", "/v1/cameras"): .json(CameraList(cameras: cameras))
            case ("POST", "/v1/cameras/front/examine"): examined
            default: .problem(Problem(.cameraNotFound, "There is no camera “it”.", remedy: "Use one of: front."))
            }
        }
        try await BuiltCommand.asking(answer, body)
    }

    /// A camera whose node always exists.
    private static var camera: CameraStatus {
        var camera = Sample.camera
        camera.identity?.path = "/dev/full"
        camera.identity?.byID = ["/dev/v4l/by-id/usb-front"]
        return camera
    }

    private static func examination(_ change: (inout Examination) -> Void = { _ in }) -> FakeDaemon.Reply {
        .json(DiagnosisTests.examination(change))
    }

    /// The findings in JSON, whose keys scripts depend on.
    private func findings(_ outcome: BuiltCommand.Outcome) throws -> [[String: String]] {
        let object = try outcome.object
        let findings = try #require(object["findings"] as? [[String: String]])
        #expect(object["silent"] is [String] && object.count == 3 && object["healthy"] as? Bool == findings.isEmpty)
        for finding in findings { #expect(Set(finding.keys).subtracting(["camera"]) == ["code", "detail", "remedy"]) }
        #expect(outcome.status == (findings.isEmpty ? 0 : 3) && outcome.errors.isEmpty, "\(outcome.errors)")
        return findings
    }

    @Test(arguments: [[], ["front"], ["/dev/full"], ["/dev/v4l/by-id/usb-front"]])
    func `a healthy camera is exit status 0, by any of its names`(arguments: [String]) async throws {
        try await running { command, daemon in
            let outcome = try await command.shell("$T doctor \(arguments.joined(separator: " "))")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text == "front: healthy\n")
            let json = try await command.shell("$T doctor --json \(arguments.joined(separator: " "))")
            #expect(try findings(json).isEmpty)
            let asked = try #require(daemon.log.requests.last { $0.method == "POST" })
            #expect(try WireFormat.decode(ExaminationRequest.self, from: asked.body) == ExaminationRequest())
        }
    }

    @Test func `a camera without findings and frames is exit status 0`() async throws {
        try await running(examined: Self.examination { $0.frames.captured = 0 }) { command, _ in
            let outcome = try await command.run("doctor", "front")
            #expect(outcome.status == 0 && outcome.text.hasPrefix("front: no frame came, "), "\(outcome.text)")
        }
    }

    @Test(
        arguments: [
            (examination { $0.frames.flagged = 3 }, "damaged-frames", "Of 30 frames: 3 with the driver's error flag."),
            (.problem(Problem(.accessDenied, "You may not.", remedy: "Ask.")), "access-denied", "You may not."),
            (
                .bytes("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"), "internal",
                "the connection ended before the reply was whole"
            ),
        ] as [(FakeDaemon.Reply, String, String)]
    )
    func `a finding is exit status 3 with detail and remedy`(
        _ examined: FakeDaemon.Reply,
        _ code: String,
        _ words: String
    ) async throws {
        try await running(examined: examined) { command, _ in
            let finding = try #require(try findings(try await command.run("doctor", "--json")).first)
            #expect(finding["camera"] == "front" && finding["code"] == code)
            let (detail, remedy) = (finding["detail"] ?? "", finding["remedy"] ?? "")
            #expect(detail.contains(words), "\(detail)")
            let outcome = try await command.run("doctor", "front")
            #expect(outcome.status == 3 && outcome.text == "front: \(code): \(detail)\n  remedy: \(remedy)\n")
        }
    }

    @Test func `the process that holds a busy camera is named`() async throws {
        let busy = Self.examination { $0.problem = Problem(.cameraBusy, "Busy.", remedy: "Wait.") }
        try await running(examined: busy) { command, _ in
            let script = """
                sleep 3600 9</dev/full &
                until [ "$(cat /proc/$!/comm)" = sleep ]; do :; done
                $T doctor; echo $? $!; kill -KILL $!
                """
            let outcome = try await command.shell(script)
            #expect(outcome.text.contains("front: busy: Busy. It is open in "))
            let pid = try #require(outcome.text.split(separator: "\n").last?.split(separator: " ").last)
            #expect(outcome.text.contains("\n3 \(pid)\n"))
            #expect(outcome.text.contains("sleep (pid \(pid), user "), "\(outcome.text)")
        }
    }

    @Test func `an unknown camera is an error, not a finding`() async throws {
        try await running { command, _ in
            let outcome = try await command.run("doctor", "it")
            #expect(outcome.status == ProblemCode.cameraNotFound.exitStatus)
            #expect(outcome.errors == "tintype: There is no camera “it”.\nUse one of: front.\n")
        }
    }

    @Test func `the absence of cameras is a finding`() async throws {
        try await running([]) { command, _ in
            let found = try findings(try await command.run("doctor", "--json"))
            #expect(found.map { $0["code"] } == ["node-missing"])
        }
    }

    @Test func `without a daemon, the doctor reports it and inspects the node`() async throws {
        let command = BuiltCommand.alone
        let finding = try #require(try findings(try await command.run("doctor", "/dev/full", "--json")).first)
        #expect(finding["code"] == "daemon-unreachable" && finding["camera"] == nil)
        #expect(finding["detail"]?.contains("/nowhere/tintyped.sock") == true)
        #expect(try await command.run("doctor", "/dev/full").text.hasPrefix("daemon-unreachable: "))
        let missing = try await command.run("doctor", "video4711")
        #expect(missing.status == 3)
        #expect(missing.text.contains("/dev/video4711: node-missing: There is no device at /dev/video4711."))
    }
}
