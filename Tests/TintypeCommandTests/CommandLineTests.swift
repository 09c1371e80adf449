// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Testing
internal import TintypeClient
internal import TintypeModel

@testable internal import tintype

struct CommandLineTests {
    private func still(_ arguments: [String]) async throws -> StillCommand {
        try #require(try await RootCommand.asyncParseAsRoot(["still"] + arguments) as? StillCommand)
    }

    @Test func `what is not given has the daemon's defaults`() async throws {
        #expect(try await still([]).still.request(keep: true) == StillRequest())
    }

    @Test func `every option reaches the request`() async throws {
        let command = try await still(
            [
                "front", "--max-age", "1.5s", "--deadline", "1m", "--quality", "7", "--durability", "data", "-o", "a",
                "--keep",
            ]
        )
        #expect(command.camera == "front")
        #expect(command.output.output == "a")
        #expect(command.output.keep == true)
        #expect(
            command.still.request(keep: true)
                == StillRequest(
                    fresh: .maxAge(.milliseconds(1500)),
                    deadline: .seconds(60),
                    rendering: StillRendering(quality: 7),
                    durability: .data
                )
        )
        #expect(try await still(["--fresh", "latest"]).still.request(keep: false).fresh == .latest)
    }

    @Test(arguments: [
        ["--fresh", "now"], ["--fresh", "next", "--max-age", "1s"], ["--max-age", "2h"], ["--max-age", "200"],
        ["--deadline", "0s"], ["--deadline", "11m"], ["--quality", "0"], ["--quality", "101"], ["--no-keep"],
        ["-o", ""], ["--durability", "some"], ["one", "two"], ["--socket", ""],
    ])
    func `a wrong command line is refused with status 64`(_ arguments: [String]) async {
        let error = await #expect(throws: (any Error).self) { try await still(arguments) }
        #expect(error.map { RootCommand.exitCode(for: $0).rawValue } == 64)
        #expect(error.flatMap { FailureReport($0)?.status } == nil)
    }

    @Test func `a hold has a time, and an owner or the user's name`() async throws {
        let hold = try #require(
            try await RootCommand.asyncParseAsRoot(["hold", "front", "--for", "10m", "--owner", "ann"]) as? HoldCommand
        )
        #expect(hold.camera == "front" && hold.duration == .seconds(600) && hold.owner.name == "ann")
        let release = try #require(try await RootCommand.asyncParseAsRoot(["release", "--all"]) as? ReleaseCommand)
        #expect(release.all && release.camera == nil && release.owner.owner == nil)
        #expect(OwnerOption.user(["LOGNAME": "ann", "USER": "bob"]) == "ann")
        #expect(OwnerOption.user(["LOGNAME": "", "USER": "bob"]) == "bob")
        #expect(OwnerOption.user([:]).wholeMatch(of: /uid-[0-9]+/) != nil)
    }

    @Test(arguments: [
        ["hold"], ["hold", "--for", "0s"], ["hold", "--for", "25h"], ["hold", "--for", "10"],
        ["hold", "a", "b", "--for", "1s"],
        ["hold", "--for", "1s", "--owner", ""], ["hold", "--for", "1s", "--owner", "a\nb"],
        ["release", "--all", "--owner", "ann"], ["start", "a", "b"], ["stop", "--for", "1s"],
    ])
    func `a wrong hold, release, start or stop is refused with status 64`(_ arguments: [String]) async {
        let error = await #expect(throws: (any Error).self) { try await RootCommand.asyncParseAsRoot(arguments) }
        #expect(error.map { RootCommand.exitCode(for: $0).rawValue } == 64)
    }

    @Test func `socket and json may stand before the command or after it`() async throws {
        let before = try #require(
            try await RootCommand.asyncParseAsRoot(["--socket", "/a", "--json", "cameras"]) as? CamerasCommand
        )
        #expect(before.client.socket == "/a")
        #expect(before.isJSON)
        let after = try #require(
            try await RootCommand.asyncParseAsRoot(["--socket", "/a", "cameras", "--socket", "/b"]) as? CamerasCommand
        )
        #expect(after.client.socket == "/b")
        #expect(!after.isJSON)
    }

    @Test func `the socket is that of the option, else of the environment, else the packaged one`() {
        #expect(SocketPath.choose(option: "/o", environment: ["TINTYPE_SOCKET": "/e"]) == "/o")
        #expect(SocketPath.choose(option: nil, environment: ["TINTYPE_SOCKET": "/e"]) == "/e")
        #expect(SocketPath.choose(option: nil, environment: ["TINTYPE_SOCKET": ""]) == "/run/tintype/tintyped.sock")
        #expect(SocketPath.choose(option: nil, environment: [:]) == "/run/tintype/tintyped.sock")
    }

    @Test func `the only camera need not be named`() throws {
        #expect(try CameraChoice.only(of: ["front"]) == "front")
        #expect(try CameraChoice.checked("front") == "front")
        let empty = #expect(throws: Problem.self) { try CameraChoice.checked("") }
        #expect(empty?.code == .invalidRequest && empty?.detail == "The camera's name is empty.")
        let none = #expect(throws: Problem.self) { try CameraChoice.only(of: []) }
        #expect(none?.code == .cameraNotFound)
        let several = #expect(throws: Problem.self) { try CameraChoice.only(of: ["a", "b"]) }
        #expect(several?.code == .cameraAmbiguous)
        #expect(several?.detail == "There are 2 cameras: a, b.")
    }
}
