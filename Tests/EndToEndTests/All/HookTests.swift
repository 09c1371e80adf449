// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import tintype

extension Processes {
    @Suite struct HookTests {
        private static func hooks(_ site: Site) async throws -> [HookStatus] {
            let reply = try await site.client.send(ControlRequest(method: "GET", path: "/v1/hooks"))
            return try WireFormat.decode(HookList.self, from: reply.body).hooks
        }

        @Test func `runs a command for each stored picture`() async throws {
            try await Site.with { site in
                let copy = "cat >> '\(site.folder)/events'; \(Programs.command) status >> '\(site.folder)/status'"
                let configuration = """
                    hooks:
                      copy: {on: frame-stored, command: [/bin/sh, -c, "\(copy)"]}
                    """
                _ = try await site.startDaemon(["YUYV:320x180@60"], configuration: configuration)
                var records: [StillRecord] = []
                for _ in 0..<3 {
                    records.append(try await site.still(StillRequest(deadline: .patience, durability: .none)))
                }
                try await eventually("it has run for each") { try await Self.hooks(site).first?.succeeded == 3 }
                let text = try String(contentsOfFile: "\(site.folder)/events", encoding: .utf8)
                let events = try text.split(separator: "\n").map {
                    try WireFormat.decode(Event.self, from: Array($0.utf8))
                }
                #expect(events.map(\.frame) == records.map(\.id) && events.map(\.path) == records.map(\.path))
                let status = try String(contentsOfFile: "\(site.folder)/status", encoding: .utf8)
                #expect(status.contains("at \(site.socket): ok"))
                let metrics = try await site.metrics()
                #expect(metrics["tintype_hooks_total{hook=\"copy\",result=\"ok\"}"] == 3)
            }
        }

        @Test func `posts an event to a webhook without revealing its URL`() async throws {
            try await Site.with { site in
                let server = try site.startPython("take-posts")
                try await eventually("it listens") { server.output.hasSuffix("\n") }
                let port = server.output.trimmingCharacters(in: .newlines)
                let configuration = """
                    hooks:
                      post: {on: frame-stored, webhook: "http://127.0.0.1:\(port)/a{b}?key=s3cr3t"}
                    """
                let daemon = try await site.startDaemon(["YUYV:320x180@60"], configuration: configuration)
                let record = try await site.still(StillRequest(deadline: .patience, durability: .none, tags: ["a.b"]))
                try await eventually("it was posted") { try await Self.hooks(site).first?.succeeded == 1 }
                let line = try #require(server.output.split(separator: "\n").last)
                let parts = line.split(separator: " ", maxSplits: 2)
                #expect(parts.prefix(2) == ["/a{b}?key=s3cr3t", "application/json"])
                let event = try WireFormat.decode(Event.self, from: Array(parts[2].utf8))
                #expect(event.frame == record.id && event.path == record.path)
                let hook = try #require(try await Self.hooks(site).first)
                #expect(hook.results.last?.attempts == 2 && hook.webhook == "http://127.0.0.1:\(port)")
                #expect(!"\(hook)".contains("s3cr3t") && !daemon.errors.contains("s3cr3t"))
            }
        }

        @Test func `a camera that cannot be opened has its recovery command run once in a pause`() async throws {
            try await Site.with { site in
                let (copy, note) = ("\(site.folder)/status", "\(site.folder)/run")
                let line = "cat >> \(copy); echo $TINTYPE_CAMERA $TINTYPE_FAILURES >> \(note)"
                let configuration = """
                    cameras:
                      yard:
                        device: \(site.folder)/none
                        warmth: hot
                        recover: {command: [/bin/sh, -c, "\(line)"], after: 3, pause: 1d}
                    """
                _ = try await site.startDaemon([], configuration: configuration)
                try await eventually("it was opened twice more") {
                    try await site.client.camera("yard").counters.interrupted >= 5
                }
                // The camera does not wait for the command to be started.
                let run = /yard ([3-9]|[1-9][0-9]+)\n/
                try await eventually("it has run") {
                    (try? String(contentsOfFile: note, encoding: .utf8))?.wholeMatch(of: run) != nil
                }
                let text = try String(contentsOfFile: copy, encoding: .utf8)
                let status = try WireFormat.decode(CameraStatus.self, from: Array(text.utf8))
                #expect(status.name == "yard" && status.counters.interrupted >= 3)
            }
        }

        @Test func `a hook that ignores SIGTERM does not prevent a clean stop`() async throws {
            try await Site.with { site in
                let command = "trap '' TERM; echo $$ > '\(site.folder)/pid'; while :; do sleep 1; done"
                let configuration = """
                    hooks:
                      stays: {on: frame-stored, command: [/bin/sh, -c, "\(command)"]}
                    """
                let daemon = try await site.startDaemon(["YUYV:320x180@60"], configuration: configuration)
                _ = try await site.still(StillRequest(deadline: .patience, durability: .none))
                var hook: pid_t = 0
                try await eventually("it runs") {
                    let text = try? String(contentsOfFile: "\(site.folder)/pid", encoding: .utf8)
                    hook = text.flatMap { pid_t($0.filter(\.isNumber)) } ?? 0
                    return hook > 0
                }
                // The hook has its own session, and no systemd ends it here.
                defer { kill(-hook, SIGKILL) }
                try await daemon.expectStop(at: site)
                #expect(daemon.errors.contains("stopped") && !daemon.errors.contains("without a clean stop"))
            }
        }
    }
}
