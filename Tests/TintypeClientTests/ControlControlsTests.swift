// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeClient

@testable internal import TintypeModel

struct ControlControlsTests {
    /// What a call sends, and that it reads the reply.
    private func sent<Value: Encodable & Equatable>(
        _ value: Value,
        _ call: (ControlClient) async throws -> Value
    ) async throws -> (line: String, body: String) {
        try await FakeDaemon.serving(always: .json(value)) { daemon in
            #expect(try await call(ControlClient(socket: daemon.socket)) == value)
            let request = try #require(daemon.log.requests.first)
            return ("\(request.method) \(request.target)", String(decoding: request.body, as: UTF8.self))
        }
    }

    private static let outcomes = ControlOutcomeList(outcomes: [ControlOutcome(name: "gain", result: .applied)])
    private static let profile = ControlProfile(
        name: "a b",
        source: .saved,
        controls: ControlSettings(["gain": .integer(1)])
    )
    private static let control = ControlDescription(id: 1, title: "Gain", controlClass: "user_controls", type: .integer)

    @Test func `controls and their profiles are asked for by their paths`() async throws {
        let path = "/v1/cameras/front/controls"
        let list = try await sent(ControlList(controls: [Self.control])) { try await $0.controls(of: "front") }
        #expect(list.line == "GET \(path)")
        let set = try await sent(Self.outcomes) {
            try await $0.setControls(ControlSettings(["gain": .text("50%"), "hflip": .boolean(true)]), of: "front")
        }
        #expect(set.line == "PATCH \(path)")
        #expect(set.body == #"{"gain":"50%","hflip":true}"#)
        let reset = try await sent(Self.outcomes) { try await $0.resetControls(of: "front") }
        #expect(reset.line == "POST \(path)/reset" && reset.body.isEmpty)
        let profiles = try await sent(ControlProfileList(profiles: [Self.profile])) {
            try await $0.profiles(of: "front")
        }
        #expect(profiles.line == "GET \(path)/profiles")
        let now = try await sent(Self.profile) { try await $0.saveProfile("a b", of: "front") }
        #expect(now.line == "PUT \(path)/profiles/a%20b" && now.body.isEmpty)
        let applied = try await sent(Self.outcomes) { try await $0.applyProfile("a b", of: "front") }
        #expect(applied.line == "POST \(path)/profiles/a%20b/apply")
        let difference = ControlDifference(name: "gain", wanted: .integer(1))
        let differences = try await sent(ControlDifferenceList(profile: "a b", differences: [difference])) {
            try await $0.differences(from: "a b", of: "front")
        }
        #expect(differences.line == "GET \(path)/profiles/a%20b/diff")
    }

    @Test func `a profile is removed by DELETE, and a refusal is the daemon's`() async throws {
        try await FakeDaemon.serving(always: .http(204, [:], [])) { daemon in
            try await ControlClient(socket: daemon.socket).removeProfile("night", of: "front")
            #expect(daemon.log.requests.first?.method == "DELETE")
            #expect(daemon.log.requests.first?.target == "/v1/cameras/front/controls/profiles/night")
        }
        try await FakeDaemon.serving(always: .problem(Sample.problem)) { daemon in
            let problem = await #expect(throws: Problem.self) {
                try await ControlClient(socket: daemon.socket).removeProfile("night", of: "front")
            }
            #expect(problem == Sample.problem)
        }
    }
}
