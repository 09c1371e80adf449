// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel
import TintypeSystem

@testable import TintypeAPI

/// Requests of a browser over http, which another page may have made it send.
struct BrowserTests {
    private static let token = "tt_0123456789"
    private static let rules = [
        AccessRule(.token(sha256: SHA256.text(Array(token.utf8)), name: "operator"), .role(.admin, cameras: nil))
    ]
    private static let network = Peer.address("192.0.2.1")
    /// For example nginx in front of the Unix socket.
    private static let proxy = Peer.process(7, user: 0, groups: [])
    private static let browser = ["User-Agent": "Mozilla/5.0 (X11; Linux x86_64)", "Host": "camera.lan"]
    private static let basic = ["Authorization": "Basic eDp0dF8wMTIzNDU2Nzg5"]

    private static func ask(
        _ line: String,
        _ fields: [String: String],
        from peer: Peer,
        rules: [AccessRule]? = rules,
        cameras: FakeCameras = FakeCameras()
    ) async throws -> Reply {
        let policy = AccessPolicy(AccessRules(rules, hosts: ["camera.lan"]))
        let responder = ControlResponder(.fakes(cameras, access: policy), logger: .quiet)
        return try await TintypeAPITests.ask(responder, line, fields.merging(["Host": "camera.lan"]) { $1 }, from: peer)
    }

    @Test(arguments: [(network, basic), (proxy, [:])] as [(Peer, [String: String])])
    func `a browser that does not name its page only gets pictures of running cameras`(
        peer: Peer,
        sent: [String: String]
    ) async throws {
        let fields = Self.browser.merging(sent) { $1 }
        let cameras = FakeCameras(take: { (request, _) throws(Problem) in
            #expect(!request.opens && !request.keep)
            return Samples.still()
        })
        for rules in [Self.rules, nil] where rules != nil || peer == Self.proxy {
            for line in ["GET /v1/cameras/pattern/still.jpg", "GET /snapshot?camera=pattern", "GET /v1/cameras"] {
                let reply = try await Self.ask(line, fields, from: peer, rules: rules, cameras: cameras)
                #expect(reply.status == 200, "\(line): \(reply.text)")
            }
            for line in [
                "GET /v1/cameras/pattern/still.jpg?keep=true", "GET /v1/cameras/pattern/controls",
                "POST /v1/cameras/pattern/stop", "GET /v1/hooks",
            ] {
                let problem = try await Self.ask(line, fields, from: peer, rules: rules, cameras: cameras).problem
                #expect(problem.code == .accessDenied && problem.remedy.contains("?token="), "\(line): \(problem)")
            }
        }
    }

    @Test(arguments: [
        // Programs.
        basic.merging(["User-Agent": "curl/8.5.0"]) { $1 }, basic,
        // Browsers that name the page of this daemon, or no page.
        browser.merging(basic) { $1 }.merging(["Sec-Fetch-Site": "none"]) { $1 },
        browser.merging(basic) { $1 }.merging(["Referer": "http://camera.lan/"]) { $1 },
        browser.merging(basic) { $1 }.merging(["Origin": "http://camera.lan"]) { $1 },
        browser.merging(basic) { $1 }.merging(["X-Requested-With": "tintype"]) { $1 },
        // Credentials that no other page makes a browser send.
        browser.merging(["Authorization": "Bearer \(token)"]) { $1 },
        browser.merging(["Cookie": "tintype=\(token)"]) { $1 },
    ])
    func `programs, and browsers that name the own page, keep their role`(fields: [String: String]) async throws {
        for line in ["GET /v1/cameras/pattern/still.jpg?keep=true", "GET /v1/cameras/pattern/controls"] {
            let reply = try await Self.ask(line, fields, from: Self.network)
            #expect(reply.status == 200, "\(line): \(reply.text)")
        }
    }

    @Test func `a token in the address of a picture keeps its role in a browser`() async throws {
        let line = "GET /v1/cameras/pattern/still.jpg?keep=true&token=\(Self.token)"
        #expect(try await Self.ask(line, Self.browser, from: Self.network).status == 200)
    }

    @Test(arguments: [nil, Role.view])
    func `the remedy for a browser without a sufficient rule is such a rule`(role: Role?) {
        let rules = role.map { [AccessRule(.user("1"), .role($0, cameras: nil))] } ?? []
        let caller = Caller(name: "uid 1", via: .user, rules: rules)
        let denied = caller.asViewer.denied(.still, for: "a camera")
        #expect(denied == caller.denied(.still, for: "a camera") && !denied.remedy.contains("Sign in"))
    }

    @Test func `the remedy for a browser without a token names the source of tokens`() {
        let rules = [AccessRule(.user("1"), .role(.still, cameras: nil))]
        let denied = Caller(name: "uid 1", via: .user, rules: rules).asViewer.denied(.still, for: "a camera")
        #expect(denied.remedy.contains("https") && denied.remedy.contains("tintype token"))
    }
}
