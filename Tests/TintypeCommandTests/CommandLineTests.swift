// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Testing
internal import TintypeModel

@testable internal import tintype

struct CommandLineTests {
    private static let id = Sample.frame.id.description

    @Test(
        arguments: [
            "still --fresh next --max-age 1s", "still --no-keep", "still -o ", "still one two", "still --socket ",
            "hold", "hold --for 0s", "hold --for 25h", "hold --for 10", "hold a b --for 1s", "hold --for 1s --owner ",
            "hold --for 1s --owner a\nb", "release --all --owner ann", "start a b", "stop --for 1s",
            "trigger a b", "trigger --after 0s", "trigger --after 2h", "trigger --before -1s", "trigger --nth 0",
            "trigger --tag a,b", "trigger --tag a --tag a", "scan a b", "scan --deadline 0s", "doctor --number 1",
            "doctor a b", "doctor ",
            "controls set", "controls set front", "controls set front gain", "controls set front =5",
            "controls set gain=1 front", "controls set a=1 a=2", "controls profiles apply",
            "controls profiles apply a b c", "controls profiles save front ", "controls profiles rm ",
            "frames list --where camra:x", "frames list --limit 0", "frames list extra", "frames list --limit 5 --all",
            "frames list --format {nothing}", "frames list --json --format {id}", "frames list --order random",
            "frames show 12", "frames show \(id) --where pinned", "frames pin", "frames pin --where pinned \(id)",
            "frames unpin", "frames tag \(id)", "frames tag \(id) --add a,b", "frames tag \(id) --add a --remove a",
            "frames tag --add a", "frames rm", "frames rm \(id) --pinned", "frames rm - -", "frames export \(id)",
            "frames export -o x", "frames export \(id) -o ", "frames export \(id) -o -", "frames open \(id)",
            "jobs pause", "jobs priority a", "jobs priority a 101", "jobs wait", "jobs stop a", "upload --to s3:b/{id}",
            "upload --where all() --to b/{id}", "upload --where all() --to s3:b/{id} --priority 200", "work now",
            "frames verify now", "frames retention --apply --dry-run",
            "film", "film --where since:1d", "film --where camera:a --fps 5 --speed 6",
            "film --where camera:a --cut 1s",
            "film --where camera:a -o ", "film --where camera:a -o b.mp4 --no-wait", "film front", "record a b",
            "record --for 0s", "record --for 2h", "record --before -1s", "record --no-wait -o a.mp4",
        ]
    )
    func `an invalid command line is refused with status 64`(_ line: String) async {
        let error = await #expect(throws: (any Error).self) { try await RootCommand.parsing(line) }
        #expect(error.map { RootCommand.exitCode(for: $0).rawValue } == 64)
        #expect(error.flatMap { FailureReport($0)?.status } == nil)
    }

    @Test(
        arguments: [
            "burst --count 2 -o %03i.jpg", "burst --count 2 -o %S.jpg --every 1s", "burst --count 2 -o -",
            "burst --count 2 -o /dev/null", "burst --count 1 -o a.jpg", "burst --from -1s -o %i.jpg --keep",
            "still -o %H.jpg", "still" + (1...16).map { " --tag t\($0)" }.joined(),
            "scan", "scan front --deadline 10m", "trigger", "trigger front --before 0s --after 1h --nth 1000",
            "trigger --tag a --tag b",
            "controls", "controls front", "controls list front", "controls set gain=1",
            "controls set front text=a=b gain=-5", "controls reset", "controls profiles", "controls profiles front",
            "controls profiles save night", "controls profiles diff front night",
            "--json controls profiles rm night",
            "frames", "frames --where since:7d", "frames list --all --order oldest", "frames show",
            "frames show \(id) \(id)", "frames export \(id) -o x", "frames export --where any(tag:a,tag:b) -o x",
            "frames pin -", "frames unpin \(id)", "frames tag --where lost --add a",
            "frames rm --where all() --pinned", "frames rm \(id) --dry-run", "frames verify --deep", "frames stats",
            "jobs", "jobs --follow", "jobs list --json", "jobs pause a b", "jobs priority a -7", "jobs wait a",
            "upload --where all() --to s3:b/{id} --order newest --limit 500k --wait", "work --config c --cache d",
            "film --where camera:a --fps 0.5 --deflicker", "film --where camera:a --speed 600 --cut 1s -o - --tag b",
            "record", "record front --for 1h --before 0s --original --tag a -o b.mkv", "record --no-wait",
            "trigger --clip", "frames retention --confirm", "--json frames retention --apply --spool usb",
        ]
    )
    func `a valid command line becomes a command to the daemon`(_ line: String) async throws {
        let command = try await RootCommand.parsing(line)
        let asking = try #require(command as? any DaemonCommand, "\(command)")
        #expect(asking.isJSON == line.contains("--json"))
    }

    @Test func `a hold has a duration and an owner, by default the user`() async throws {
        let hold = try #require(try await RootCommand.parsing("hold front --for 10m --owner ann") as? HoldCommand)
        #expect(hold.camera.name == "front" && hold.duration == .seconds(600) && hold.owner.name == "ann")
        let release = try #require(try await RootCommand.parsing("release --all") as? ReleaseCommand)
        #expect(release.all && release.camera.name == nil && release.owner.owner == nil)
        #expect(OwnerOption.user(["LOGNAME": "ann", "USER": "bob"]) == "ann")
        #expect(OwnerOption.user(["LOGNAME": "", "USER": "bob"]) == "bob")
        #expect(OwnerOption.user([:]).wholeMatch(of: /uid-[0-9]+/) != nil)
    }

    @Test func `options before the command apply unless repeated after it`() async throws {
        let before = try #require(try await RootCommand.parsing("--socket /a --json cameras") as? CamerasCommand)
        #expect(before.client.socket == "/a")
        #expect(before.isJSON)
        let after = try #require(try await RootCommand.parsing("--socket /a cameras --socket /b") as? CamerasCommand)
        #expect(after.client.socket == "/b")
        #expect(!after.isJSON)
    }

    @Test func `the socket path comes from the option, the environment or the default`() {
        #expect(SocketPath.choose(option: "/o", environment: ["TINTYPE_SOCKET": "/e"]) == "/o")
        #expect(SocketPath.choose(option: nil, environment: ["TINTYPE_SOCKET": "/e"]) == "/e")
        #expect(SocketPath.choose(option: nil, environment: ["TINTYPE_SOCKET": ""]) == "/run/tintype/tintyped.sock")
        #expect(SocketPath.choose(option: nil, environment: [:]) == "/run/tintype/tintyped.sock")
    }

    @Test func `a missing camera name selects the only camera`() throws {
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

extension RootCommand {
    /// Parses `line`, whose arguments are separated by single spaces: two spaces enclose an empty one.
    static func parsing(_ line: String) async throws -> any ParsableCommand {
        try await asyncParseAsRoot(line.split(separator: " ", omittingEmptySubsequences: false).map(String.init))
    }
}
