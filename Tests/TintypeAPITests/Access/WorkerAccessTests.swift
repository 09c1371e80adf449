// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

@testable import TintypeAPI

struct WorkerAccessTests {
    private static let worker: UInt32 = 4711
    private static let work = "/v1/work"

    private static func ask(
        _ line: String,
        user: UInt32 = worker,
        groups: Set<UInt32> = [],
        _ rules: [AccessRule]?
    ) async throws -> Reply {
        let policy = AccessPolicy(AccessRules(rules, worker: "\(worker)"))
        let responder = ControlResponder(.fakes(access: policy), logger: .quiet)
        return try await TintypeAPITests.ask(responder, line, [:], from: .process(7, user: user, groups: groups))
    }

    @Test(arguments: [nil, [], [AccessRule(.group("2000"), .role(.admin, cameras: nil))]] as [[AccessRule]?])
    func `the worker's user has the right work and no other`(rules: [AccessRule]?) async throws {
        let responder = ControlResponder(.fakes(), logger: .quiet)
        var refused = 0
        for endpoint in responder.routes.map(\.endpoint) where endpoint.access != .everybody {
            let path = endpoint.path.replacing("{camera}", with: "pattern").replacing("{profile}", with: "day")
                .replacing("{id}", with: "\(Samples.id)").replacing("{job}", with: FakeJobs.job.id)
                .replacing("{batch}", with: "b").replacing("{frame}", with: "\(Samples.id)")
            let reply = try await Self.ask("\(endpoint.method) \(path)", groups: [2000], rules)
            guard endpoint.access != .work else {
                #expect(reply.status != 403, "\(endpoint.path)")
                continue
            }
            #expect(reply.status == 403, "\(endpoint.method) \(endpoint.path): \(reply.status)")
            refused += 1
        }
        #expect(refused > 40)
        let access = try await Self.ask("GET /v1/access", groups: [2000], rules).value(AccessReport.self)
        #expect(access.rules == ["user tintype-worker: work"] && access.role == nil && access.cameras.isEmpty)
    }

    @Test func `a rule that names the worker's user adds to its right`() async throws {
        let rules = [AccessRule(.user("\(Self.worker)"), .role(.view, cameras: nil))]
        #expect(try await Self.ask("GET /v1/cameras", rules).status == 200)
        #expect(try await Self.ask("POST \(Self.work)", rules).status == 200)
        #expect(try await Self.ask("POST /v1/reload", rules).status == 403)
    }

    @Test func `others have the right work by their rule, or with the role admin`() async throws {
        let rules = [
            AccessRule(.user("1001"), .work), AccessRule(.user("1002"), .role(.control, cameras: nil)),
            AccessRule(.user("1003"), .role(.admin, cameras: nil)),
            AccessRule(.user("1004"), .role(.admin, cameras: ["pattern"])),
        ]
        for (user, status) in [(1001, 200), (1002, 403), (1003, 200), (1004, 403)] as [(UInt32, Int)] {
            let reply = try await Self.ask("POST \(Self.work)", user: user, rules)
            #expect(reply.status == status, "\(user)")
            if status == 403 { #expect(try reply.problem.detail.contains("takes the right work")) }
        }
        #expect(try await Self.ask("GET /v1/jobs", user: 1001, rules).status == 403)
        // Without rules, whoever may open the socket may do everything.
        #expect(try await Self.ask("POST \(Self.work)", user: 1005, nil).status == 200)
        #expect(AccessRules(nil, worker: "no such user").worker == nil)
    }
}
