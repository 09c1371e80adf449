// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

@testable import TintypeAPI

struct DaemonRouteTests {
    private static func ask(_ line: String, _ reload: FakeReload = FakeReload()) async throws -> Reply {
        try await TintypeAPITests.ask(ControlResponder(.fakes(reload: reload), logger: .quiet), line, [:])
    }

    @Test func `a reload reports kept, changed, added and removed cameras`() async throws {
        let reply = try await Self.ask("POST /v1/reload")
        #expect(reply.status == 200)
        let report = try reply.value(ReloadReport.self)
        #expect(report.kept == ["yard"] && report.changed == ["door"] && report.added.isEmpty && report.removed.isEmpty)
        #expect(try await Self.ask("GET /v1/reload").status == 405)
    }

    @Test func `a rejected configuration is reported with its key`() async throws {
        let refusal = Problem(.configurationUnsupported, "/a:4:5: cameras.b: No.", remedy: "Yes.", field: "cameras.b")
        let reply = try await Self.ask("POST /v1/reload", FakeReload(refusal: refusal))
        #expect(reply.status == 422)
        #expect(try reply.problem.field == "cameras.b")
        #expect(try reply.problem.detail == "/a:4:5: cameras.b: No.")
    }

    @Test func `hooks are listed with their results`() async throws {
        let reply = try await Self.ask("GET /v1/hooks")
        #expect(reply.status == 200)
        let hooks = try reply.value(HookList.self).hooks
        #expect(hooks == FakeHooks().hooks())
        #expect(hooks.first?.failed == 1 && hooks.first?.results.first?.outcome == .failed)
    }
}
