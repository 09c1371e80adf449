// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

@testable internal import tintype

extension Processes {
    /// Real users and groups, and tokens over TCP.
    @Suite(.enabled(if: getuid() == 0, "only root can be other users"))
    struct AccessTests {
        private static let operatorToken = "tt_operator-\(UUID().uuidString)"
        private static let visitorToken = "tt_visitor-\(UUID().uuidString)"

        private static func rule(_ token: String, _ name: String, _ rest: String) -> String {
            "  - {token: \"sha256:\(SHA256.text(Array(token.utf8)))\", name: \(name), \(rest)}\n"
        }

        private static let rules = """
            socket: {mode: "0666"}
            access:
              - {user: 40001, role: view}
              - {group: 40100, role: still, cameras: [pattern]}

            """

        /// HTTP status and body for a process with this user and these groups.
        private static func curl(
            _ site: Site,
            as user: Int,
            groups: [Int] = [],
            _ arguments: String
        ) async throws -> (status: String, body: String) {
            let groups =
                groups.isEmpty ? "--clear-groups" : "--groups=\(groups.map(String.init).joined(separator: ","))"
            let outcome = try await site.shell(
                "setpriv --reuid=\(user) --regid=\(user) \(groups) curl -sS -o - -w '\\n%{http_code}' "
                    + "--unix-socket '\(site.socket)' \(arguments)"
            )
            #expect(outcome.status == 0, "\(outcome.errors)")
            let lines = String(decoding: outcome.output, as: UTF8.self).split(separator: "\n")
            return (String(lines.last ?? ""), lines.dropLast().joined(separator: "\n"))
        }

        @Test func `authorizes a process by its user and all its groups`() async throws {
            try await Site.with { site in
                let daemon = try await site.startDaemon(
                    ["YUYV:320x180@30", "YUYV:320x180@30"],
                    configuration: Self.rules
                )
                let still = "-o /dev/null http://localhost/v1/cameras/pattern/still.jpg?deadlineMs=600000"
                for count in [0, 1, 70] {
                    // The last group is the one in the rules.
                    let groups = (0..<count).map { 40_101 - count + $0 }
                    let taken = try await Self.curl(site, as: 40_002, groups: groups, still)
                    #expect(taken.status == (count == 0 ? "403" : "200"), "\(count) groups")
                    let list = try await Self.curl(site, as: 40_002, groups: groups, "http://localhost/v1/cameras")
                    #expect(list.body.contains("pattern-2") == false, "\(count) groups")
                    #expect((list.status == "200") == (count > 0), "\(count) groups")
                    let viewer = try await Self.curl(site, as: 40_001, groups: groups, "http://localhost/v1/cameras")
                    #expect(viewer.status == "200" && viewer.body.contains("pattern-2"), "\(count) groups")
                }
                // Member of the group by its primary group.
                #expect(try await Self.curl(site, as: 40_100, still).status == "200")
                #expect(daemon.poll() == nil)
            }
        }

        @Test func `tintype access explains the role of a user`() async throws {
            try await Site.with { site in
                _ = try await site.startDaemon(["YUYV:320x180@30"], configuration: Self.rules)
                let own = try await site.tintype("access")
                #expect(
                    own.text
                        == "uid 0 has the role admin for every camera.\nby: root and the daemon's own user may do everything.\n"
                )
                let other = try await site.tintype("access", "--as", "40001")
                #expect(other.text == "uid 40001 has the role view for every camera.\nby: user 40001: role view\n")
                let nobody = try await site.tintype("access", "--as", "40009")
                #expect(nobody.text.contains("No rule of access is for it"))
                #expect(try await site.tintype("access", "--as", "no-such-user").status == 64)
            }
        }

        @Test func `a viewer neither opens a camera nor keeps it open`() async throws {
            try await Site.with { site in
                _ = try await site.startDaemon(["MJPG:320x180@30"], configuration: Self.rules)
                let stream = "http://localhost/v1/cameras/pattern/stream.mjpg"
                let still = "-o /dev/null 'http://localhost/v1/cameras/pattern/still.jpg?deadlineMs=600000'"
                #expect(try await Self.curl(site, as: 40_001, still).status == "403")
                #expect(try await site.client.camera("pattern").counters.opened == 0)
                _ = try await site.client.hold(HoldRequest(owner: "test", duration: .seconds(86_400)), of: "pattern")
                #expect(try await site.tintype("still").status == 0)
                #expect(try await Self.curl(site, as: 40_001, still).status == "200")
                let line = ["--reuid=40001", "--regid=40001", "--clear-groups", "curl", "-sN", "--unix-socket"]
                let start = { try site.start("/usr/bin/setpriv", line + [site.socket, stream]) }
                var viewer = try start()
                // The deadline of 5 s ends the stream after the camera is closed; a slow machine may miss it at the start.
                try await eventually("the viewer is served") {
                    if viewer.poll() != nil { viewer = try start() }
                    return try await site.client.camera("pattern").streams?.first?.bytes ?? 0 > 10_000
                }
                _ = try await site.client.release(ReleaseRequest(owner: "test"), of: "pattern")
                // The camera lingers for 10 s after the hold, regardless of the viewer.
                try await eventually("the camera is closed") {
                    try await site.client.camera("pattern").state.name == .off
                }
                #expect(try await site.client.camera("pattern").counters.opened == 1)
                // The stream ends without further pictures.
                #expect(try await viewer.outcome().output.count > 10_000)
            }
        }

        @Test func `revoking a token ends its requests`() async throws {
            try await Site.with { site in
                let head = "tcp: {port: 0}\naccess:\n" + Self.rule(Self.operatorToken, "operator", "role: admin")
                let both = head + Self.rule(Self.visitorToken, "visitor", "role: still, cameras: [pattern]")
                let daemon = try await site.startDaemon(["MJPG:320x180@30"], configuration: both)
                let place = "http://127.0.0.1:\(try await daemon.port)"
                func get(_ arguments: String) async throws -> String {
                    try await site.shell("curl -sS -o /dev/null -w '%{http_code}' \(arguments)").text
                }
                #expect(try await get("\(place)/v1/cameras") == "401")
                #expect(try await get("-u x:\(Self.visitorToken) \(place)/v1/cameras") == "200")
                let query = "?deadlineMs=600000&token=\(Self.visitorToken)"
                let picture = try site.start(
                    "/usr/bin/curl",
                    ["-sN", "\(place)/v1/cameras/pattern/stream.mjpg\(query)"]
                )
                let events = try site.start(
                    "/usr/bin/curl",
                    ["-sN", "-u", "x:\(Self.visitorToken)", "\(place)/v1/events"]
                )
                try await eventually("both are served") {
                    try await site.client.camera("pattern").streams?.isEmpty == false && !events.output.isEmpty
                }
                _ = try site.write(head, to: "tintyped.yaml")
                #expect(try await get("-u x:\(Self.operatorToken) -X POST \(place)/v1/reload") == "200")
                #expect(try await picture.outcome().status == 0)
                #expect(try await events.outcome().status == 0)
                #expect(try await get("-u x:\(Self.visitorToken) \(place)/v1/cameras") == "401")
                try await eventually("it is in the log") { daemon.errors.contains("access was refused") }
                try await daemon.stop()
                #expect(!daemon.errors.contains("tt_"))
            }
        }

        @Test func `a token made by the command works after a reload`() async throws {
            try await Site.with { site in
                // Before the daemon runs.
                let made = try await site.tintype("token", "dash", "--role", "still", "--camera", "pattern")
                let token = made.text.trimmingCharacters(in: .newlines)
                let rule = try #require(made.errors.split(separator: "\n").last)
                let head = "tcp: {port: 0}\naccess:\n"
                let daemon = try await site.startDaemon(["YUYV:320x180@30"], configuration: head + "  []\n")
                try await eventually("it is warned of") { daemon.errors.contains("access has no token") }
                _ = try site.write("\(head)\(rule)\n", to: "tintyped.yaml")
                #expect(try await site.tintype("reload").status == 0)
                let place = "http://127.0.0.1:\(try await daemon.port)"
                let path = "\(place)/v1/cameras/pattern/still.jpg?deadlineMs=600000"
                let outcome = try await site.shell("curl -sS -H 'Authorization: Bearer \(token)' \(path)")
                #expect(try drawnCode(in: Array(outcome.output)).number > 0)
                let access = try await site.shell("curl -sS -H 'Authorization: Bearer \(token)' \(place)/v1/access")
                #expect(access.text.contains("\"token dash\"") && access.text.contains("\"still\""))
            }
        }

        @Test func `on a terminal, an added token comes with a link that signs in`() async throws {
            try await Site.with { site in
                let command = "tintype token --add me --file \(site.folder)/tokens"
                let shown = try await site.shell("script -qec '\(command)' /dev/null < /dev/null")
                let token = try #require(shown.text.firstMatch(of: /tt_\S{43}/)).0
                #expect(shown.text.contains("http://127.0.0.1:8642/#token=\(token)"), "\(shown.text)")
                let piped = try await site.shell("\(command) | cat")
                #expect(!piped.text.contains("#token=") && !piped.errors.contains("#token="))
            }
        }

        @Test func `a TCP port in use ends the daemon with a remedy`() async throws {
            try await Site.with { site in
                let first = try await site.startDaemon([], configuration: "tcp: {port: 0}\n")
                let port = try await first.port
                try await Site.with { other in
                    let second = try other.launchDaemon([], configuration: "tcp: {port: \(port)}\n")
                    let outcome = try await second.outcome()
                    #expect(outcome.status == 1 && outcome.errors.contains("cannot listen on 127.0.0.1:\(port)"))
                    #expect(outcome.errors.contains("tcp.port"))
                    #expect(!FileManager.default.fileExists(atPath: other.socket))
                }
            }
        }
    }
}
