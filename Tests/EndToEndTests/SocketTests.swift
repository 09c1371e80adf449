// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeDevice
internal import TintypeModel

@testable internal import tintype

extension Processes {
    @Suite struct SocketTests {
        @Test func `a second daemon on a socket exits and leaves the first alone`() async throws {
            try await Site.serving("YUYV:320x180@30") { site, _ in
                let second = try site.launchDaemon(["YUYV:320x180@30"], spool: "\(site.folder)/other")
                let outcome = try await second.outcome()
                #expect(outcome.status == 1)
                #expect(
                    outcome.errors.contains("Another tintyped is listening on \(site.socket)."),
                    "\(outcome.errors)"
                )
                #expect(outcome.errors.contains("--socket"), "\(outcome.errors)")
                #expect(!FileManager.default.fileExists(atPath: "\(site.folder)/other"), "it has touched its spool")
                #expect(try await site.tintype("still").status == 0)
            }
        }

        @Test func `replaces the socket file of a killed daemon`() async throws {
            try await Site.serving("YUYV:320x180@30") { site, first in
                first.signal(SIGKILL)
                #expect(try await first.outcome().status == 128 + SIGKILL)
                #expect(FileManager.default.fileExists(atPath: site.socket))
                #expect(try await site.tintype("cameras").status == 2)
                _ = try await site.startDaemon(["YUYV:320x180@30"])
                #expect(try await site.tintype("still").status == 0)
            }
        }

        @Test func `serves passed sockets and leaves them in place`() async throws {
            try await Site.with { site in
                let configuration = "access: [{user: \(getuid()), role: admin}]\n"
                let early = "\(site.folder)/early.jpg"
                let command = try site.daemonCommand(["YUYV:320x180@30"], configuration: configuration, isPassed: true)
                let daemon = try site.startPython("pass-sockets", [site.socket, early, "good"] + command)
                try await eventually("who came before the daemon is served") {
                    FileManager.default.fileExists(atPath: early)
                }
                #expect(try drawnCode(in: Array(try Data(contentsOf: URL(filePath: early)))).number > 0)
                #expect(try await site.tintype("still").status == 0)
                let port = try #require(daemon.output.split(separator: "\n").first)
                let line = "curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:\(port)/v1/cameras"
                #expect(try await site.shell(line).text == "401")
                // The path of a passed socket is not a change that requires a restart.
                #expect(try await site.tintype("reload").status == 0)
                daemon.signal(SIGTERM)
                #expect(try await daemon.outcome().status == 0)
                #expect(FileManager.default.fileExists(atPath: site.socket))
                #expect(!FileManager.default.fileExists(atPath: site.socket + ".lock"))
            }
        }

        @Test func `a wrong configuration is reported to clients of a passed socket`() async throws {
            try await Site.with { site in
                let early = "\(site.folder)/early.json"
                let command = try site.daemonCommand([], configuration: "no-such-key: 1\n", isPassed: true)
                let arguments = [site.socket, early, "good"] + command
                let outcome = try await site.startPython("pass-sockets", arguments).outcome()
                #expect(outcome.status == 78 && outcome.errors.contains(".yaml:1:1: no-such-key"), "\(outcome.errors)")
                try await eventually("the client has its answer") { FileManager.default.fileExists(atPath: early) }
                let text = try String(contentsOfFile: early, encoding: .utf8)
                #expect(text.contains("The configuration of tintyped is wrong."), "\(text)")
            }
        }

        @Test func `listens with a backlog of 4096`() async throws {
            try await Site.with { site in
                let library = try await site.library("listen-queues")
                let daemon = try await site.startDaemon(["GREY:64x32@1"], environment: ["LD_PRELOAD": library])
                let queues = daemon.errors.split(separator: "\n").filter { $0.hasPrefix("a queue for") }
                #expect(queues == ["a queue for 4096 clients"], "\(daemon.errors)")
            }
        }

        @Test func `rejects a passed descriptor that is not a listening socket`() async throws {
            try await Site.with { site in
                let arguments = [site.socket, "\(site.folder)/early.jpg", "bad", Programs.daemon]
                let outcome = try await site.startPython("pass-sockets", arguments).outcome()
                #expect(outcome.status == 78 && outcome.errors.contains("no stream socket that listens"))
                #expect(outcome.errors.contains("ListenStream="))
            }
        }
    }
}
