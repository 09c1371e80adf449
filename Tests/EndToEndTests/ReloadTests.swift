// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import tintype

extension Processes {
    @Suite struct ReloadTests {
        /// Runs `body` with a daemon with the test pattern and a configuration that `write` replaces.
        private static func serving(
            _ configuration: String,
            _ body: (Site, Child, _ write: (String) throws -> Void) async throws -> Void
        ) async throws {
            try await Site.with { site in
                let daemon = try await site.startDaemon(["MJPG:320x180@60"], configuration: configuration)
                try await body(site, daemon) { text in _ = try site.write(text, to: "tintyped.yaml") }
            }
        }

        private static func camera(_ name: String) -> String {
            "  \(name): {device: /dev/tintype-has-no-\(name)}\n"
        }

        @Test func `SIGHUP reloads the configuration`() async throws {
            try await Self.serving("cameras:\n" + Self.camera("door")) { site, daemon, write in
                try write("cameras:\n" + Self.camera("door") + Self.camera("yard"))
                daemon.signal(SIGHUP)
                try await eventually("the new camera is there, and told of") {
                    try await site.client.cameras().cameras.map(\.name) == ["door", "pattern", "yard"]
                        && daemon.errors.contains("the configuration was read again")
                }
                let events = try site.curl(
                    "-H",
                    "Last-Event-ID: 0",
                    "http://localhost/v1/events?kind=configuration-changed"
                )
                try await eventually("the event is read") { events.output.contains("\"camera\":\"yard\"") }
                events.end()
                #expect(events.output.components(separatedBy: "event: configuration-changed").count == 2)
                try write("nonsense: 1\n")
                daemon.signal(SIGHUP)
                try await eventually("the fault is in the log") {
                    daemon.errors.contains("tintyped.yaml:1:1: nonsense")
                }
                #expect(daemon.poll() == nil)
            }
        }

        @Test func `concurrent reloads run one after the other`() async throws {
            try await Self.serving("cameras:\n" + Self.camera("door")) { site, _, write in
                try write("cameras:\n" + Self.camera("yard"))
                let reports = try await withThrowingTaskGroup(of: ReloadReport.self) { group in
                    for _ in 0..<8 { group.addTask { try await site.client.reload() } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(reports.count { $0.added == ["yard"] && $0.removed == ["door"] } == 1)
                #expect(reports.count { $0.kept == ["pattern", "yard"] } == 7)
            }
        }
    }
}
