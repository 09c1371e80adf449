// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Glibc
internal import Testing
internal import TintypeModel

@testable internal import tintype

/// Options and messages of `tintype still --once` and the lookup of its daemon.
struct OnceTests {
    @Test(arguments: [
        (["--once"], "give -o FILE"), (["--once", "-o", "a.jpg", "--keep"], "leave out --keep"),
        (["--once", "-o", "a.jpg", "--socket", "/s"], "leave out --socket"),
        (["--once", "-o", "a.jpg", "--device", "/dev/video0", "--pattern", "YUYV"], "one of --device and --pattern"),
        (["--once", "-o", "a.jpg", "--device", "/dev/video0", "front"], "one of CAMERA, --device and --pattern"),
        (["--once", "-o", "a.jpg", "--device", ""], "--device needs the path"),
        (["-o", "a.jpg", "--device", "/dev/video0"], "go with --once"), (["--pattern", "YUYV"], "go with --once"),
    ])
    func `incompatible options are refused`(_ options: [String], _ says: String) throws {
        let error = try #require(throws: (any Error).self) { try RootCommand.parseAsRoot(["still"] + options) }
        #expect(RootCommand.fullMessage(for: error).contains(says))
        #expect(RootCommand.exitCode(for: error) == .validationFailure)
    }

    @Test(arguments: [
        ([], []), (["--device", "/dev/video2"], ["--device", "/dev/video2"]),
        (["--pattern", "GREY"], ["--pattern", "GREY"]),
    ])
    func `options select the camera of the private daemon`(_ options: [String], _ arguments: [String]) throws {
        let command = try RootCommand.parseAsRoot(["still", "--once", "-o", "a.jpg"] + options)
        #expect(try #require(command as? StillCommand).once.arguments == arguments)
    }

    @Test(arguments: ProblemCode.allCases)
    func `remedies of problems do not refer to a service`(_ code: ProblemCode) {
        // The remedy of a daemon that runs as a service.
        let told = Problem(code, "It failed.", remedy: "Look there.").withoutService
        #expect(told.code == code && told.detail == "It failed.")
        #expect(!Self.isOfService(told.remedy.replacing("“tintype status”", with: "")), "\(told.remedy)")
        let isOwn: Set<ProblemCode> = [
            .cameraBusy, .cameraNotFound, .cameraAmbiguous, .cameraDenied, .cameraRestricted, .deviceLost,
            .deadlineExceeded,
        ]
        #expect((told.remedy != "Look there.") == isOwn.contains(code))
    }

    @Test(arguments: ClientError.Kind.allCases, [0, 64, 137, nil])
    func `remedies of connection errors do not refer to a service`(_ kind: ClientError.Kind, _ status: CInt?) {
        let error = ClientError(kind, "It failed.", remedy: "See systemctl status tintyped, and give --socket.")
        let told = error.withoutService("/usr/bin/tintyped", status: status)
        #expect(told.kind == kind && !Self.isOfService(told.remedy), "\(told.remedy)")
        #expect(told.remedy.contains("--deadline") == (kind == .deadline))
        #expect(told.detail.contains("status 64") == (kind == .closed && status == 64))
        #expect(told.detail.contains("signal 9") == (kind == .closed && status == 137))
    }

    @Test(arguments: ClientError.Kind.allCases)
    func `--once is suggested only if no daemon runs`(_ kind: ClientError.Kind) {
        let told = ClientError(kind, "It failed.", remedy: "Start it.").suggestingOnce
        #expect(told.kind == kind && told.detail == "It failed." && told.remedy.hasPrefix("Start it."))
        #expect(told.remedy.contains("--once -o FILE") == [.missing, .refused].contains(kind))
    }

    private static func isOfService(_ remedy: String) -> Bool {
        ["systemctl", "journalctl -u", "socket", "configuration", "tintype status"].contains(where: remedy.contains)
    }

    @Test(arguments: [("garbage", "exec format error"), ("#!/nowhere/sh", "no such file")])
    func `a daemon that cannot be started says why`(_ program: String, _ says: String) async throws {
        try await FakeDaemon.serving(always: .silence) { daemon in
            let command = BuiltCommand(folder: daemon.folder, socket: "/nowhere/s")
            let script = "echo '\(program)' > tintyped; chmod +x tintyped; cp $T tintype"
            let outcome = try await command.shell("\(script); ./tintype still --once -o a.jpg")
            #expect(outcome.status == 2 && outcome.errors.hasPrefix("tintype: start "), "\(outcome.errors)")
            #expect(outcome.errors.contains(says) && outcome.errors.hasSuffix("Install tintyped again.\n"))
        }
    }

    @Test func `tintyped is found beside the command, then in PATH, then in libexec`() throws {
        var there = ["/opt/bin/tintyped", "/usr/sbin/tintyped", "/b/tintyped", "/opt/libexec/tintype/tintyped"]
        let find = { try PrivateDaemon.find(beside: "/opt/bin", path: "/a::/usr/sbin:/b", mayRun: there.contains) }
        for program in there {
            #expect(try find() == program)
            there.removeFirst()
        }
        let error = #expect(throws: ClientError.self) { try find() }
        #expect(error?.kind == .missing)
        #expect(error?.detail.contains("(/opt/bin)") == true)
        #expect(error?.detail.contains("/opt/libexec/tintype") == true)
    }
}
