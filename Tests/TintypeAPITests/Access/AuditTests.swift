// SPDX-License-Identifier: Apache-2.0
import Logging
import TestSupport
import Testing
import TintypeModel

@testable import TintypeAPI

struct AuditTests {
    @Test(
        arguments: [
            ("POST /v1/spool/retention", nil, true), ("POST /v1/spool/retention", #"{"dryRun": false}"#, true),
            ("POST /v1/spool/retention", #"{"dryRun": true}"#, false),
            ("POST /v1/spool/retention", #"{"dryRun": true, "confirm": true}"#, false),
            ("POST /v1/cameras/pattern/stop", nil, true), ("GET /v1/spool", nil, false),
        ] as [(String, String?, Bool)]
    )
    func `a request that changes something is logged, a dry run is not`(
        line: String,
        body: String?,
        isLogged: Bool
    ) async throws {
        let log = MessageLog()
        let reply = try await ask(ControlResponder(.fakes(), logger: log.logger), line, [:], body)
        #expect(reply.status == 200, "\(reply.text)")
        let changes = log.loud.filter { $0.text == "a client made a change" }.map(\.metadata)
        #expect(changes.count == (isLogged ? 1 : 0))
        #expect(changes.allSatisfy { $0["request"] == "\(line)" && $0["result"] == "200" && $0["client"] != nil })
    }

    @Test(
        arguments: [
            (9, "cameras", 403), (9, "cameras/\(String(repeating: "%22", count: 8000))/still.jpg", 403),
            (1002, "cameras/idle/still.jpg", 404), (1002, "frames/20261126T000000.000000Z-000000001", 404),
        ] as [(UInt32, String, Int)]
    )
    func `a refusal is logged with client and request, cut to a bound`(
        user: UInt32,
        path: String,
        status: Int
    ) async throws {
        let log = MessageLog()
        let rules = AccessRules([AccessRule(.user("1002"), .role(.still, cameras: ["pattern"]))])
        let responder = ControlResponder(.fakes(access: AccessPolicy(rules)), logger: log.logger)
        let peer = Peer.process(7, user: user, groups: [])
        let reply = try await ask(responder, "GET /v1/\(path)", [:], from: peer)
        #expect(reply.status == status && (status == 404 || reply.text.contains("tintype access")), "\(reply.text)")
        let line = try #require(log.loud.first)
        #expect(log.loud.count == 1 && line.text.contains("access was refused"))
        #expect(line.metadata["client"] == "uid \(user)")
        #expect("\(line.metadata["request"] ?? "")".hasPrefix("GET /v1/\(path.prefix(200))"))
        #expect("\(line.text) \(line.metadata)".utf8.count < 1500)
    }

    @Test func `the question of the page whether it must sign in is no refusal`() async throws {
        let log = MessageLog()
        let rules = AccessPolicy(AccessRules([AccessRule(.user("1002"), .role(.still, cameras: nil))]))
        let responder = ControlResponder(.fakes(access: rules), logger: log.logger)
        let peer = Peer.address("192.0.2.1")
        for (fields, count) in [([:], 0), (["Authorization": "Bearer tt_guess"], 1)] {
            #expect(try await ask(responder, "GET /v1/access", fields, from: peer).status == 401)
            #expect(log.loud.count == count)
        }
    }
}
