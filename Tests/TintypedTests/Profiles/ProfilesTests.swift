// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel
import TintypeSystem

@testable import tintyped

struct ProfilesTests {
    private let folder = TemporaryFolder()
    private let profiles: Profiles

    init() {
        var camera = CameraConfiguration(name: "front", source: .node(path: "/dev/video0"))
        let controls = ControlSettings(["gain": .integer(9)])
        camera.profiles = [ControlProfile(name: "night", source: .configuration, controls: controls)]
        profiles = Profiles(cameras: [camera], in: ProfileStore(in: folder.path, clock: .system))
    }

    private func code<Value>(_ body: () async throws -> Value) async -> ProblemCode? {
        let problem = await problem(body)
        // A sentence, or the question whether another name was meant.
        #expect(problem?.remedy.last.map(".?".contains) == true)
        return problem?.code
    }

    @Test func `profiles of the configuration and saved ones are one list`() async throws {
        let saved = try await profiles.save(ControlSettings(["gain": .integer(1)]), as: "day", of: "front")
        #expect(saved.source == .saved)
        #expect(try await profiles.all(of: "front").map(\.name) == ["day", "night"])
        #expect(try await profiles.profile("day", of: "front") == saved)
        #expect(try await profiles.profile("night", of: "front").source == .configuration)
        #expect(try await profiles.all(of: "other").isEmpty)
        try await profiles.remove("day", of: "front")
        #expect(try await profiles.all(of: "front").map(\.name) == ["night"])
    }

    @Test func `what is in the configuration is changed there only`() async throws {
        let refused = await code { try await profiles.save(ControlSettings(), as: "night", of: "front") }
        #expect(refused == .configurationConflict)
        #expect(await code { try await profiles.remove("night", of: "front") } == .configurationConflict)
        _ = try await profiles.save(ControlSettings(), as: "night", of: "other")
    }

    @Test(arguments: ["", "..", ".hidden", "a/b", "Night", "../x", String(repeating: "a", count: 65)])
    func `a name that is none is refused`(_ name: String) async throws {
        #expect(await code { try await profiles.save(ControlSettings(), as: name, of: "front") } == .invalidRequest)
        #expect(await code { try await profiles.remove(name, of: "front") } == .notFound)
        #expect(await code { try await profiles.profile(name, of: "front") } == .notFound)
    }
}
