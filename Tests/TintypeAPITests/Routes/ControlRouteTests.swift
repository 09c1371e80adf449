// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct ControlRouteTests {
    private static let controls = "/v1/cameras/pattern/controls"

    @Test(arguments: Transport.allCases)
    func `controls are listed with value, choice and unit`(transport: Transport) async throws {
        try await withAPI(transport) { api in
            let reply = try await api("GET \(Self.controls)")
            #expect(reply.status == 200)
            let list = try reply.value(ControlList.self)
            #expect(list.controls == [Samples.control, Samples.exposure])
            let text = String(decoding: reply.body, as: UTF8.self)
            #expect(text.contains(#""choice":"Aperture Priority Mode""#))
            #expect(text.contains(#""unit":"100 µs""#))
        }
    }

    @Test(arguments: Transport.allCases)
    func `PATCH gets 200 and an outcome per control if one is applied`(transport: Transport) async throws {
        try await withAPI(transport) { api in
            let reply = try await api("PATCH \(Self.controls)", body: #"{"gain": 7, "bad": true, "mode": "auto"}"#)
            #expect(reply.status == 200)
            let outcomes = try reply.value(ControlOutcomeList.self).outcomes
            #expect(outcomes.map(\.name) == ["bad", "gain", "mode"])
            #expect(outcomes.map(\.result) == [.refused, .applied, .applied])
            #expect(outcomes.map(\.asked) == [.boolean(true), .integer(7), .text("auto")])
        }
    }

    @Test(arguments: Transport.allCases)
    func `PATCH that applies no control gets 422 with every reason`(transport: Transport) async throws {
        try await withAPI(transport) { api in
            let one = try await api("PATCH \(Self.controls)", body: #"{"bad": 1}"#)
            #expect(one.status == 422)
            let problem = try one.problem
            #expect(problem.code == .configurationUnsupported)
            #expect(problem.detail == "bad: It is bad.")
            #expect(problem.field == "bad")
            let two = try await api("PATCH \(Self.controls)", body: #"{"bad": 1, "bad2": 1}"#)
            #expect(try two.problem.detail == "bad: It is bad. bad2: It is bad.")
            #expect(try two.problem.field == nil)
        }
    }

    @Test(arguments: Transport.allCases)
    func `profiles can be listed, read, saved, applied, compared and deleted`(transport: Transport) async throws {
        try await withAPI(transport) { api in
            let profiles = "\(Self.controls)/profiles"
            let list = try await api("GET \(profiles)")
            #expect(try list.value(ControlProfileList.self).profiles == [Samples.night])
            let one = try await api("GET \(profiles)/night")
            #expect(try one.value(ControlProfile.self) == Samples.night)
            let now = try await api("PUT \(profiles)/day")
            #expect(try now.value(ControlProfile.self).controls.values == ["now": .integer(1)])
            let given = try await api("PUT \(profiles)/day", body: #"{"gain": 3}"#)
            #expect(try given.value(ControlProfile.self).controls.values == ["gain": .integer(3)])
            let applied = try await api("POST \(profiles)/night/apply")
            #expect(try applied.value(ControlOutcomeList.self).outcomes.count == 3)
            let differences = try await api("GET \(profiles)/night/diff")
            let decoded = try differences.value(ControlDifferenceList.self)
            #expect(decoded.profile == "night" && decoded.differences.first?.wanted == .integer(9))
            let removed = try await api("DELETE \(profiles)/night")
            #expect(removed.status == 204 && removed.body.isEmpty)
            #expect(try await api("GET \(profiles)/none").status == 404)
            #expect(try await api("POST \(Self.controls)/reset").status == 200)
        }
    }
}
