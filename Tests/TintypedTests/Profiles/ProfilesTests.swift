// SPDX-License-Identifier: Apache-2.0
import TestSupport
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
        profiles = Profiles(cameras: [camera], in: ProfileStore(in: folder.path, clock: ManualClock()))
    }

    private func code<Value>(_ body: () async throws -> Value) async -> ProblemCode? {
        let problem = await problem(body)
        // Ends as a sentence, or as a question that suggests another name.
        #expect(problem?.remedy.last.map(".?".contains) == true)
        return problem?.code
    }

    @Test func `lists configured and saved profiles together`() async throws {
        let saved = try await profiles.save(ControlSettings(["gain": .integer(1)]), as: "day", of: "front")
        #expect(saved.source == .saved)
        #expect(try await profiles.all(of: "front").map(\.name) == ["day", "night"])
        #expect(try await profiles.profile("day", of: "front") == saved)
        #expect(try await profiles.profile("night", of: "front").source == .configuration)
        #expect(try await profiles.all(of: "other").isEmpty)
        try await profiles.remove("day", of: "front")
        #expect(try await profiles.all(of: "front").map(\.name) == ["night"])
    }

    @Test func `refuses to change a configured profile`() async throws {
        let refused = await code { try await profiles.save(ControlSettings(), as: "night", of: "front") }
        #expect(refused == .configurationConflict)
        #expect(await code { try await profiles.remove("night", of: "front") } == .configurationConflict)
        _ = try await profiles.save(ControlSettings(), as: "night", of: "other")
    }

    @Test(arguments: ["", "..", ".hidden", "a/b", "Night", "../x", String(repeating: "a", count: 65)])
    func `rejects an invalid profile name`(_ name: String) async throws {
        #expect(await code { try await profiles.save(ControlSettings(), as: name, of: "front") } == .invalidRequest)
        #expect(await code { try await profiles.remove(name, of: "front") } == .notFound)
        #expect(await code { try await profiles.profile(name, of: "front") } == .notFound)
    }
}
