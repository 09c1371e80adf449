// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Foundation
internal import Synchronization
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
            let evidence: String
            let remedy: String
            let occurred: Int
        }
        let healthy: Bool
        let rounds: Int
        let findings: [Entry]
    }

    private func running(
        _ cameras: [CameraStatus] = [Self.camera],
        _ examine: @escaping @Sendable (Int) -> FakeDaemon.Reply,
        _ body: (BuiltCommand, FakeDaemon) async throws -> Void
    ) async throws {
        let count = Mutex(0)
        try await FakeDaemon.serving { request in
            switch (request.method, request.target) {
            case ("GET", "/healthz"): .json(Health(version: "0.0.1"))
            case ("GET", "/v1/cameras"): .json(CameraList(cameras: cameras))
            case ("POST", "/v1/cameras/front/examine"):
                examine(
                    count.withLock { count in
                        count += 1
                        return count
                    }
                )
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
        .json(
            DiagnosisTests.examination { examination in
                examination.identity = camera.identity
                change(&examination)
            }
        )
    }

    private func report(_ outcome: BuiltCommand.Outcome) throws -> Report {
        try WireFormat.decode(Report.self, from: outcome.output)
    }

    @Test(arguments: [[], ["front"], ["/dev/full"], ["/dev/v4l/by-id/usb-front"]])
    func `a healthy camera is exit status 0, by whatever name`(arguments: [String]) async throws {
        try await running { _ in
            Self.examination()
        } _: { command, daemon in
            let outcome = try await command.shell("$T doctor \(arguments.joined(separator: " "))")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text.contains("\nfront: healthy\n"))
            // The fake daemon runs in this process.
            #expect(outcome.text.hasPrefix("tintyped 0.0.1 at \(daemon.socket): ok, pid \(getpid()), user "))
            let json = try await command.shell("$T doctor --json \(arguments.joined(separator: " "))")
            #expect(json.status == 0)
            let report = try report(json)
            #expect(report.healthy && report.rounds == 1 && report.findings.isEmpty)
            let asked = try #require(daemon.log.requests.last { $0.method == "POST" })
            #expect(try WireFormat.decode(ExaminationRequest.self, from: asked.body) == ExaminationRequest())
        }
    }

    @Test func `a finding is exit status 3, with how often it came`() async throws {
        try await running { round in
            Self.examination { if round % 2 == 0 { $0.frames.flagged = 3 } }
        } _: { command, _ in
            let outcome = try await command.run("doctor", "front", "--repeat", "4")
            #expect(outcome.status == 3)
            #expect(outcome.errors.isEmpty)
            #expect(outcome.text.contains("damaged-frames (in 2 of 4 rounds)"))
            let report = try report(try await command.run("doctor", "--json", "--repeat", "3"))
            #expect(report.rounds == 3)
            #expect(report.findings.map(\.code) == ["damaged-frames"])
            #expect(report.findings.map(\.occurred) == [1])
        }
    }

    @Test func `who holds a busy camera is named`() async throws {
        try await running { _ in
            Self.examination { $0.problem = Problem(.cameraBusy, "Busy.", remedy: "Wait.") }
        } _: { command, _ in
            let script = """
                sleep 3600 9</dev/full &
                until [ "$(cat /proc/$!/comm)" = sleep ]; do :; done
                $T doctor; echo $? $!; kill -KILL $!
                """
            let outcome = try await command.shell(script)
            #expect(outcome.text.contains("busy: Another program uses the camera."))
            let pid = try #require(outcome.text.split(separator: "\n").last?.split(separator: " ").last)
            #expect(outcome.text.contains("\n3 \(pid)\n"))
            #expect(outcome.text.contains("sleep (pid \(pid), user "), "\(outcome.text)")
        }
    }

    @Test func `a camera that the daemon does not know is its own error at first, and gone later`() async throws {
        try await running { _ in
            Self.examination()
        } _: { command, _ in
            let outcome = try await command.run("doctor", "it")
            #expect(outcome.status == ProblemCode.cameraNotFound.exitStatus)
            #expect(outcome.errors == "tintype: There is no camera “it”.\nUse one of: front.\n")
        }
    }

    @Test func `no camera is a finding`() async throws {
        try await running([]) { _ in
            Self.examination()
        } _: { command, _ in
            let outcome = try await command.run("doctor", "--json")
            #expect(outcome.status == 3)
            #expect(try report(outcome).findings.map(\.code) == ["no-camera"])
        }
    }

    @Test func `a daemon that hangs up during the examination is a finding`() async throws {
        try await running { _ in
            .bytes("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{")
        } _: { command, _ in
            let outcome = try await command.run("doctor", "--json")
            #expect(outcome.status == 3)
            let finding = try #require(try report(outcome).findings.first)
            #expect(finding.code == "not-examined")
            #expect(finding.evidence.contains("the connection ended before the reply was whole"))
        }
    }

    @Test func `without a daemon it says so, and what can be seen of the node`() async throws {
        let command = BuiltCommand(folder: NSTemporaryDirectory(), socket: "/nowhere/tintyped.sock")
        let outcome = try await command.run("doctor", "/dev/full", "--json")
        #expect(outcome.status == 3)
        let report = try report(outcome)
        #expect(report.findings.first?.code == "daemon-unreachable")
        #expect(report.findings.first?.evidence.contains("/nowhere/tintyped.sock") == true)
        let text = try await command.run("doctor", "/dev/full").text
        #expect(text.hasPrefix("tintyped at /nowhere/tintyped.sock: does not answer\n  daemon-unreachable: "))
        #expect(text.contains("\n/dev/full: not examined\n  node      /dev/full: root:root 0666"))
        let missing = try await command.run("doctor", "video4711")
        #expect(missing.status == 3)
        #expect(missing.text.contains("video4711: node-missing"))
    }

    @Test(arguments: [["--repeat", "0"], ["--repeat", "10001"], ["--repeat", "x"], ["a", "b"]])
    func `a wrong command line is refused with status 64`(arguments: [String]) async {
        let error = await #expect(throws: (any Error).self) {
            try await RootCommand.asyncParseAsRoot(["doctor"] + arguments)
        }
        #expect(error.map { RootCommand.exitCode(for: $0).rawValue } == 64)
    }
}
