// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import TintypeAPI

struct ReplyBudgetTests {
    private let budget = ReplyBudget(bytes: 4_000_000)

    @Test func `one peer gets a quarter, and its first reply whatever its size`() {
        #expect(budget.admit(3_000_000, of: "uid 7") == nil)
        let problem = budget.admit(100_000, of: "uid 7")
        #expect(problem?.code == .tooManyRequests && problem?.retryAfterMs != nil)
        #expect(budget.admit(600_000, of: "uid 8") == nil)
        #expect(budget.admit(500_000, of: "uid 8") != nil)
        #expect(budget.admit(400_000, of: "uid 8") == nil)
        #expect(budget.total == 4_000_000)
    }

    @Test func `a small reply is always admitted`() {
        #expect(budget.admit(3_000_000, of: "uid 7") == nil)
        #expect(budget.admit(ReplyBudget.small, of: "uid 7") == nil)
        #expect(budget.admit(ReplyBudget.small + 1, of: "uid 7") != nil)
    }

    @Test func `bytes that were read are free again`() {
        #expect(budget.admit(900_000, of: "uid 7") == nil)
        #expect(budget.admit(900_000, of: "uid 7") != nil)
        budget.release(900_000, of: "uid 7")
        #expect(budget.admit(900_000, of: "uid 7") == nil)
        budget.release(900_000, of: "uid 7")
        #expect(budget.total == 0)
    }

    @Test func `no picture is taken for a client whose budget is used up`() async throws {
        var limits = ServerLimits().patient()
        // A peer has a quarter: not a megabyte more than one reply.
        limits.unreadReplyBytes = 34_000_000
        let cameras = FakeCameras.large()
        try await withServer(cameras: cameras, limits: limits) { path, _ in
            let idle = try await RawClient(path, sending: RawClient.still, reads: false)
            #expect(await idle.receivesReply())
            for request in [RawClient.still, "GET /snapshot?camera=pattern HTTP/1.1\r\nHost: a\r\n\r\n"] {
                let other = try await RawClient(path, sending: request)
                #expect(await other.reply()?.status == 429)
            }
            #expect(cameras.stills.calls.count == 1)
        }
    }

    @Test func `a reply admitted before a change is not refused after it`() throws {
        let reply = ReplyAdmission(budget, of: "uid 7")
        try reply.admit(500_000)
        #expect(budget.admit(400_000, of: "uid 7") == nil)
        try reply.admit(900_000)
        #expect(budget.total == 1_300_000)
        reply.release()
        #expect(budget.total == 400_000)
    }

    @Test(arguments: [
        RawClient.still,
        "GET /v1/cameras/pattern/still.jpg?keep=true HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST /v1/cameras/pattern/stills HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n{\"count\":2}",
    ])
    func `a still beyond the budget is refused and not stored until the others are read`(request: String) async throws {
        var limits = ServerLimits().patient()
        // A peer has a quarter: as much as one reply.
        limits.unreadReplyBytes = 32_000_000
        let cameras = FakeCameras.large()
        try await withServer(cameras: cameras, limits: limits) { path, _ in
            let idle = try await RawClient(path, sending: RawClient.still, reads: false)
            // The rest of its reply is in the server.
            #expect(await idle.receivesReply())
            let other = try await RawClient(path, sending: request)
            let refusal = try #require(await other.reply())
            #expect(try refusal.status == 429 && refusal.problem.code == .tooManyRequests)
            #expect(cameras.stored.calls.isEmpty)
            try await idle.startReading()
            #expect(await idle.reply()?.body.count == 8_000_000)
            // Handled only once the reply before it is written and no longer counts.
            #expect(await idle.get()?.status == 200)
            try await other.send(request)
            let reply = try #require(await other.reply())
            #expect(request.hasPrefix("POST") ? reply.status == 201 : reply.body.count == 8_000_000)
            #expect(cameras.stored.calls.count == (request == RawClient.still ? 0 : 1))
        }
    }
}
