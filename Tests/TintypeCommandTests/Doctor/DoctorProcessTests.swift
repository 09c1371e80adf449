// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Foundation
internal import Testing
internal import TintypeModel

@testable internal import tintype

/// The built command against a daemon that answers as the test wants.
struct DoctorProcessTests {
    /// What a script reads.
    private struct Report: Decodable {
        struct Entry: Decodable {
            let camera: String?
            let code: String
            let detail: String
            let remedy: String
        }
        let healthy: Bool
        let findings: [Entry]
    }

    private func running(
        _ cameras: [CameraStatus] = [Self.camera],
        examined: FakeDaemon.Reply = Self.examination(),
        _ body: (BuiltCommand, FakeDaemon) async throws -> Void
    ) async throws {
        try await FakeDaemon.serving { request in
            switch (request.method, request.target) {
            case ("GET", "/v1/cameras"): .json(CameraList(cameras: cameras))
            case ("POST", "/v1/cameras/front/examine"): examined
            default: .problem(Problem(.cameraNotFound, "There is no camera “it”.", remedy: "Use one of: front."))
            }
        } _: { daemon in
            try await body(BuiltCommand(folder: daemon.folder, socket: daemon.socket), daemon)
        }
    }

    /// With a node that is always there and that nothing is expected of.
    private static var camera: CameraStatus {
        var camera = Sample.camera
        camera.identity?.path = "/dev/full"
        camera.identity?.byID = ["/dev/v4l/by-id/usb-front"]
        return camera
    }

    private static func examination(_ change: (inout Examination) -> Void = { _ in }) -> FakeDaemon.Reply {
        .json(DiagnosisTests.examination(change))
    }

    private func report(_ outcome: BuiltCommand.Outcome) throws -> Report {
        try WireFormat.decode(Report.self, from: outcome.output)
    }

    @Test(arguments: [[], ["front"], ["/dev/full"], ["/dev/v4l/by-id/usb-front"]])
    func `a healthy camera is exit status 0, by whatever name`(arguments: [String]) async throws {
        try await running { command, daemon in
            let outcome = try await command.shell("$T doctor \(arguments.joined(separator: " "))")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text == "front: healthy\n")
            let json = try await command.shell("$T doctor --json \(arguments.joined(separator: " "))")
            #expect(json.status == 0)
            let report = try report(json)
            #expect(report.healthy && report.findings.isEmpty)
            let asked = try #require(daemon.log.requests.last { $0.method == "POST" })
            #expect(try WireFormat.decode(ExaminationRequest.self, from: asked.body) == ExaminationRequest())
        }
    }

    @Test func `a finding is exit status 3`() async throws {
        try await running(examined: Self.examination { $0.frames.flagged = 3 }) { command, _ in
            let outcome = try await command.run("doctor", "front")
            #expect(outcome.status == 3)
            #expect(outcome.errors.isEmpty)
            #expect(outcome.text.hasPrefix("front: damaged-frames: Of 30 frames: 3 with"), "\(outcome.text)")
            let report = try report(try await command.run("doctor", "--json"))
            #expect(!report.healthy && report.findings.map(\.code) == ["damaged-frames"])
            #expect(report.findings.map(\.camera) == ["front"])
        }
    }

    @Test func `who holds a busy camera is named`() async throws {
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

    @Test func `a camera that the daemon does not know is its own error`() async throws {
        try await running { command, _ in
            let outcome = try await command.run("doctor", "it")
            #expect(outcome.status == ProblemCode.cameraNotFound.exitStatus)
            #expect(outcome.errors == "tintype: There is no camera “it”.\nUse one of: front.\n")
        }
    }

    @Test func `a daemon that refuses the examination is told in its own words`() async throws {
        let refusal = FakeDaemon.Reply.problem(Problem(.accessDenied, "You may not.", remedy: "Ask."))
        try await running(examined: refusal) { command, _ in
            let outcome = try await command.run("doctor", "front")
            #expect(outcome.status == 3)
            #expect(outcome.text == "front: access-denied: You may not.\n  remedy: Ask.\n")
        }
    }

    @Test func `no camera is a finding`() async throws {
        try await running([]) { command, _ in
            let outcome = try await command.run("doctor", "--json")
            #expect(outcome.status == 3)
            #expect(try report(outcome).findings.map(\.code) == ["node-missing"])
        }
    }

    @Test func `a daemon that hangs up during the examination is a finding`() async throws {
        try await running(examined: .bytes("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{")) { command, _ in
            let outcome = try await command.run("doctor", "--json")
            #expect(outcome.status == 3)
            let finding = try #require(try report(outcome).findings.first)
            #expect(finding.code == "internal")
            #expect(finding.detail.contains("the connection ended before the reply was whole"))
        }
    }

    @Test func `without a daemon it says so, and what can be seen of the node`() async throws {
        let command = BuiltCommand(folder: NSTemporaryDirectory(), socket: "/nowhere/tintyped.sock")
        let outcome = try await command.run("doctor", "/dev/full", "--json")
        #expect(outcome.status == 3)
        let report = try report(outcome)
        #expect(report.findings.first?.code == "daemon-unreachable")
        #expect(report.findings.first?.detail.contains("/nowhere/tintyped.sock") == true)
        #expect(try await command.run("doctor", "/dev/full").text.hasPrefix("daemon-unreachable: "))
        let missing = try await command.run("doctor", "video4711")
        #expect(missing.status == 3)
        #expect(missing.text.contains("/dev/video4711: node-missing: There is no device at /dev/video4711."))
    }

    @Test(arguments: [["--number", "1"], ["a", "b"], [""]])
    func `a wrong command line is refused with status 64`(arguments: [String]) async {
        let error = await #expect(throws: (any Error).self) {
            try await RootCommand.asyncParseAsRoot(["doctor"] + arguments)
        }
        #expect(error.map { RootCommand.exitCode(for: $0).rawValue } == 64)
    }
}
