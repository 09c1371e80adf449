// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import tintype

extension Processes {
    @Suite struct EventTests {
        /// Events printed by `tintype watch --json`, without an incomplete line.
        private static func events(_ text: String) throws -> [Event] {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            return try lines.map { try WireFormat.decode(Event.self, from: Array($0.utf8)) }
        }

        /// Starts `tintype watch` and waits until it is subscribed.
        private static func watch(_ site: Site, _ arguments: String...) async throws -> Child {
            let key: Substring = "tintype_event_clients"
            let before = try await site.metrics()[key] ?? 0
            let child = try site.start(
                Programs.command,
                ["watch"] + arguments,
                environment: ["TINTYPE_SOCKET": site.socket]
            )
            // Without --after, events from before the daemon has the request are not sent.
            try await eventually("the daemon has the request of tintype watch. It wrote: \(child.errors)") {
                try await site.metrics()[key] ?? 0 > before
            }
            return child
        }

        @Test func `tintype watch prints events of stills, controls and configuration`() async throws {
            try await Site.serving("YUYV:320x180@60") { site, _ in
                // An id of an earlier daemon, for a gap.
                let json = try await Self.watch(site, "--json", "--after", "1")
                let words = try await Self.watch(site, "--after", "1", "--kind", "frame-stored")
                let other = try await Self.watch(site, "other", "--after", "1")
                _ = try await site.client.start("pattern")
                let record = try await site.still()
                #expect(try await site.tintype("controls", "set", "pattern", "brightness=99").status == 0)
                _ = try await site.client.configure(CameraSettings(), of: "pattern", ifRevision: nil)
                _ = try await site.client.delete(.ids([record.id]))
                // The state event may follow the still, and the clients are separate processes.
                try await eventually("all is told") {
                    let events = try Self.events(json.output)
                    let lines = [words, other].map { $0.output.count { $0 == "\n" } }
                    return events.contains { $0.kind == .framesRemoved } && lines[0] >= 2 && lines[1] >= 1
                        && events.contains { $0.state?.name == .running }
                }
                let events = try Self.events(json.output)
                let kinds = events.map(\.kind).filter { $0 != .cameraState }
                #expect(kinds == [.gap, .frameStored, .controlsChanged, .configurationChanged, .framesRemoved])
                #expect(events.map(\.id) == events.map(\.id).sorted() && Set(events.map(\.id)).count == events.count)
                let stored = try #require(events.first { $0.kind == .frameStored })
                #expect(stored.frame == record.id && stored.path == record.path && stored.camera == "pattern")
                #expect(events.first { $0.kind == .controlsChanged }?.controls == ["brightness": .integer(99)])
                #expect(events.last { $0.kind != .cameraState }?.frames == [record.id])
                let lines = words.output.split(separator: "\n")
                #expect(lines.count == 2 && lines[1].contains(" frame-stored: A picture of pattern is stored as /"))
                #expect(other.output.split(separator: "\n").count == 1, "the gap, and no event of a camera")
            }
        }

        @Test func `an absent camera and its missed slots are events`() async throws {
            try await Site.with { site in
                let configuration = """
                    cameras:
                      front:
                        device: \(site.folder)/absent
                        publish: {every: 200ms}
                    """
                _ = try await site.startDaemon([], configuration: configuration)
                let watcher = try await Self.watch(site, "--json", "--after", "0")
                try await eventually("it is told") {
                    let kinds = Set(try Self.events(watcher.output).map(\.kind))
                    return kinds.isSuperset(of: [.cameraLost, .slotsMissed, .degraded])
                }
                let events = try Self.events(watcher.output)
                #expect(events.contains { $0.kind == .cameraLost && $0.camera == "front" })
                let missed = try #require(events.first { $0.kind == .slotsMissed })
                #expect(missed.camera == "front" && missed.missed?.count ?? 0 >= 1)
                #expect(missed.schedule?.hasPrefix("every 200ms") == true)
                let degraded = try #require(events.first { $0.kind == .degraded })
                #expect(degraded.reasons?.first?.camera == "front")
            }
        }

        @Test func `tintype watch resumes after a restart with a gap event`() async throws {
            try await Site.with { site in
                let before = try await site.startDaemon(["YUYV:320x180@60"])
                let watcher = try await Self.watch(site, "--json", "--kind", "frame-stored")
                _ = try await site.still()
                try await eventually("the first is told") { !watcher.output.isEmpty }
                try await before.stop()
                _ = try await site.startDaemon(["YUYV:320x180@60"])
                _ = try await site.still()
                try await eventually("the second is told") { try Self.events(watcher.output).count >= 3 }
                let events = try Self.events(watcher.output)
                #expect(events.map(\.kind) == [.frameStored, .gap, .frameStored])
                #expect(events.map(\.id) == events.map(\.id).sorted())
                #expect(watcher.errors == "tintyped has gone; waiting for it.\ntintyped is there again.\n")
            }
        }

        @Test func `tintype watch fails without a daemon`() async throws {
            try await Site.with { site in
                let outcome = try await site.tintype("watch")
                #expect(outcome.status != 0 && outcome.errors.contains(site.socket))
            }
        }
    }
}
