// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TestSupport
import Testing
import TintypeModel
import TintypeSystem

@testable import TintypeAPI

/// Requests of pages of other origins that the configuration names.
struct SharedOriginTests {
    private static let token = "tt_0123456789"
    private static let rules = [
        AccessRule(.token(sha256: SHA256.text(Array(token.utf8)), name: "dash"), .role(.admin, cameras: nil))
    ]
    private static let dash = "https://dash.example"
    private static let network = Peer.address("192.0.2.1")
    private static let bearer = ["Authorization": "Bearer \(token)", "Sec-Fetch-Site": "cross-site"]

    private static func ask(
        _ line: String,
        _ fields: [String: String],
        origin: String? = dash,
        from peer: Peer = network
    ) async throws -> Reply {
        let policy = AccessPolicy(AccessRules(rules, hosts: ["camera.lan"], origins: [dash]))
        let responder = ControlResponder(.fakes(access: policy), logger: .quiet)
        var fields = fields.merging(["Host": "camera.lan"]) { own, _ in own }
        if let origin { fields["Origin"] = origin }
        return try await TintypeAPITests.ask(responder, line, fields, from: peer)
    }

    @Test func `a page with a token may read replies and their fields`() async throws {
        for (line, status) in [
            ("GET /v1/cameras", 200), ("POST /v1/cameras/pattern/stop", 200), ("GET /v1/cameras/none", 404),
            ("GET /v1/frames/\(Samples.id)/image", 200),
        ] {
            let reply = try await Self.ask(line, Self.bearer)
            #expect(reply.status == status, "\(line)")
            #expect(reply.headers["access-control-allow-origin"] == Self.dash)
            #expect(reply.headers["access-control-expose-headers"] == "*")
            #expect(reply.headers["access-control-allow-credentials"] == nil)
            #expect(reply.headers["vary"]?.hasSuffix("Origin") == true)
        }
        let image = try await Self.ask("GET /v1/frames/\(Samples.id)/image", Self.bearer)
        #expect(image.headers["vary"] == "Authorization, Cookie, Origin")
        let picture = try await Self.ask("GET /v1/cameras/pattern/still.jpg?token=\(Self.token)", [:])
        #expect(picture.status == 200 && picture.headers["access-control-allow-origin"] == Self.dash)
    }

    @Test(arguments: [
        "https://other.example", "http://dash.example", "https://dash.example:8443", "https://dash.example.evil",
        "null",
        "", nil,
    ])
    func `other pages may not`(origin: String?) async throws {
        let reply = try await Self.ask("GET /v1/cameras", Self.bearer, origin: origin)
        #expect(!reply.headers.keys.contains { $0.hasPrefix("access-control-") })
        // For caches.
        #expect(reply.headers["vary"] == "Origin")
        let preflight = ["Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "authorization"]
        let refused = try await Self.ask("OPTIONS /v1/cameras", preflight, origin: origin)
        #expect(refused.status == 405 && !refused.headers.keys.contains { $0.hasPrefix("access-control-") })
    }

    @Test(
        arguments: [
            (network, ["Cookie": "tintype=\(token)"]), (network, ["Authorization": "Basic eDp0dF8wMTIzNDU2Nzg5"]),
            (network, [:]), (.process(7, user: 0, groups: []), [:]),
        ] as [(Peer, [String: String])]
    )
    func `its requests need a token that no browser adds by itself`(peer: Peer, fields: [String: String]) async throws {
        let reply = try await Self.ask("GET /v1/cameras", fields, from: peer)
        #expect(try reply.status == 401 && reply.problem.remedy.contains("bearer"))
        // The page can read the problem.
        #expect(reply.headers["access-control-allow-origin"] == Self.dash)
        // There is no cookie for it.
        #expect(try await Self.ask("POST /v1/login", fields, from: peer).headers["set-cookie"] == nil)
    }

    @Test func `a preflight request gets the methods of the path, without a token`() async throws {
        let asked = ["Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"]
        for (path, methods) in [("/v1/cameras/pattern/stop", "POST"), ("/v1/cameras", "GET, HEAD")] {
            let reply = try await Self.ask("OPTIONS \(path)", asked)
            #expect(reply.status == 204 && reply.body.isEmpty)
            #expect(reply.headers["access-control-allow-origin"] == Self.dash)
            #expect(reply.headers["access-control-allow-methods"] == methods)
            let fields = reply.headers["access-control-allow-headers"] ?? ""
            for field in ["Authorization", "Content-Type", "If-Match", "Last-Event-ID", "X-Requested-With"] {
                #expect(fields.contains(field))
            }
        }
        #expect(try await Self.ask("OPTIONS /v1/none", asked).status == 404)
        // Not a preflight request.
        #expect(try await Self.ask("OPTIONS /v1/cameras", [:]).status == 405)
    }
}
