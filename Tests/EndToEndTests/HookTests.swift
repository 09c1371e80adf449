// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeClient
internal import TintypeModel

extension Processes {
    /// Commands that are run for events.
    @Suite(.timeLimit(.minutes(2))) struct HookTests {
        private static func hooks(_ site: Site) async throws -> [HookStatus] {
            let outcome = try await site.shell("curl -sf --unix-socket '\(site.socket)' http://localhost/v1/hooks")
            return try WireFormat.decode(HookList.self, from: outcome.output).hooks
        }

        @Test func `a stored picture is handed to a command, which can ask the daemon`() async throws {
            try await Site.with { site in
                let copy = "cat >> '\(site.folder)/events'; \(Programs.command) status >> '\(site.folder)/status'"
                let configuration = """
                    hooks:
                      copy: {on: frame-stored, command: [/bin/sh, -c, "\(copy)"]}
                    """
                _ = try await site.startDaemon(["YUYV:320x180@60"], configuration: configuration)
                var records: [StillRecord] = []
                for _ in 0..<3 { records.append(try await site.client.still(StillRequest(), of: "pattern")) }
                try await eventually("it has run for each") { try await Self.hooks(site).first?.succeeded == 3 }
                let text = try String(contentsOfFile: "\(site.folder)/events", encoding: .utf8)
                let events = try text.split(separator: "\n").map {
                    try WireFormat.decode(Event.self, from: Array($0.utf8))
                }
                #expect(events.map(\.frame) == records.map(\.id) && events.map(\.path) == records.map(\.path))
                let status = try String(contentsOfFile: "\(site.folder)/status", encoding: .utf8)
                #expect(status.contains("at \(site.socket): ok"))
                let metrics = try await site.shell("curl -sf --unix-socket '\(site.socket)' http://localhost/metrics")
                #expect(metrics.text.contains("tintype_hooks_total{hook=\"copy\",result=\"ok\"} 3\n"))
            }
        }

        @Test func `a hook that hangs and one that fails touch nothing else`() async throws {
            try await Site.with { site in
                let configuration = """
                    hooks:
                      hangs: {on: frame-stored, command: [/bin/sleep, "600"], timeLimit: 1s, retries: 0}
                      fails: {on: frame-stored, command: [/bin/false], retries: 0}
                      absent: {on: frame-stored, command: [\(site.folder)/absent], retries: 0}
                    """
                let daemon = try await site.startDaemon(["YUYV:320x180@60"], configuration: configuration)
                let began = ContinuousClock.now
                for _ in 0..<20 { _ = try await site.client.still(StillRequest(fresh: .next), of: "pattern") }
                let took = ContinuousClock.now - began
                #expect(took < .seconds(15), "\(took)")
                try await eventually("all have results") {
                    try await Self.hooks(site).allSatisfy { !$0.results.isEmpty }
                }
                let outcomes = try await Self.hooks(site).map { ($0.name, $0.results.last?.outcome) }
                #expect(outcomes.map(\.0) == ["absent", "fails", "hangs"])
                #expect(outcomes.map(\.1) == [.notStarted, .failed, .late])
                // It leaves at once, and takes what hangs along.
                daemon.signal(SIGTERM)
                let stop = ContinuousClock.now
                #expect(try await daemon.outcome().status == 0)
                #expect(ContinuousClock.now - stop < .seconds(5))
                #expect(daemon.errors.contains("the hook failed: It ended with 1."))
            }
        }
    }
}
