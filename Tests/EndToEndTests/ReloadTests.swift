// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import tintype

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

        private static func camera(_ name: String, _ more: String = "") -> String {
            "  \(name): {device: /dev/tintype-has-no-\(name)\(more)}\n"
        }

        @Test func `an unchanged camera streams through a reload`() async throws {
            let before = "cameras:\n" + Self.camera("door") + Self.camera("gate")
            try await Self.serving(before) { site, _, write in
                let stream = "http://localhost/v1/cameras/pattern/stream.mjpg?deadlineMs=600000"
                let line =
                    "curl -sN --unix-socket '\(site.socket)' '\(stream)' | grep -a --line-buffered ^Tintype-Sequence"
                let viewer = try site.start("/bin/bash", ["-c", line])
                let sequences = {
                    viewer.output.matches(of: /Tintype-Sequence: ([0-9]+)/).compactMap { Int($0.1) }
                }
                try await eventually("it streams") { sequences().count > 10 }
                try write("cameras:\n" + Self.camera("door", ", quality: 50") + Self.camera("yard"))
                let outcome = try await site.tintype("reload")
                #expect(outcome.status == 0)
                #expect(
                    outcome.text == """
                        The configuration was read again.
                        kept: pattern
                        changed: door
                        added: yard
                        removed: gate

                        """
                )
                let count = sequences().count
                try await eventually("it streams on") { sequences().count > count + 20 }
                let seen = sequences()
                // A client may miss a frame, but reopening the device would restart the numbers.
                #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 < $1 })
                #expect(try await site.client.camera("pattern").counters.opened == 1)
                #expect(try await site.client.cameras().cameras.map(\.name) == ["door", "pattern", "yard"])
                #expect(try await site.client.camera("door").quality == 50)
                #expect(viewer.poll() == nil)
            }
        }

        @Test func `rejects a wrong configuration and keeps the old one`() async throws {
            try await Self.serving("cameras:\n" + Self.camera("door")) { site, daemon, write in
                try write("cameras:\n  yard:\n    device: /dev/video7\n    qualty: 50\n")
                let outcome = try await site.tintype("reload")
                #expect(outcome.status != 0)
                #expect(outcome.errors.contains("\(site.folder)/tintyped.yaml:4:5: cameras.yard.qualty:"))
                #expect(try await site.client.cameras().cameras.map(\.name) == ["door", "pattern"])
                try write(
                    "cameras:\n" + Self.camera("door") + "socket: {path: /tmp/elsewhere}\nspool: {folder: /tmp/b}\n"
                )
                // Flags override the file.
                #expect(try await site.tintype("reload").status == 0)
                try write("cameras:\n" + Self.camera("yard") + "socket: {mode: 0600}\nspool: {fileMode: 0600}\n")
                let fixed = try await site.tintype("reload", "--json")
                #expect(fixed.status != 0)
                #expect(
                    fixed.errors.contains("other values of socket, spool, which takes a restart"),
                    "\(fixed.errors)"
                )
                #expect(try await site.client.cameras().cameras.map(\.name) == ["door", "pattern"])
                #expect(daemon.poll() == nil)
            }
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
