// SPDX-License-Identifier: Apache-2.0
internal import NIOHTTP1
internal import Testing
internal import TintypeClient

@testable internal import TintypeModel

struct ControlFramesTests {
    private let id = Sample.frame.id

    private func calling<Result>(
        _ reply: FakeDaemon.Reply,
        _ call: (ControlClient) async throws -> Result
    ) async throws -> (Result, FakeDaemon.Request) {
        try await FakeDaemon.serving(always: reply) { daemon in
            let result = try await call(ControlClient(socket: daemon.socket))
            return (result, try #require(daemon.log.requests.first))
        }
    }

    @Test func `a frame and its picture are asked for by their paths`() async throws {
        let (frame, one) = try await calling(.json(Sample.frame)) { try await $0.frame(id) }
        #expect(frame == Sample.frame)
        #expect(one.method == "GET" && one.target == "/v1/frames/\(id)")
        let (image, two) = try await calling(.http(200, [:], Sample.jpeg)) { try await $0.image(of: id) }
        #expect(image == Sample.jpeg)
        #expect(two.target == "/v1/frames/\(id)/image")
    }

    @Test func `a page is asked for by the query as it is`() async throws {
        let page = FramePage(frames: [Sample.frame], next: FrameCursor(.oldest, after: id))
        let query = FrameQuery(
            filter: try FrameFilter(parsing: "any(camera:front, since:7d), bytes>2M"),
            order: .oldest,
            limit: 7,
            cursor: page.next
        )
        let (found, request) = try await calling(.json(page)) { try await $0.frames(query) }
        #expect(found == page)
        #expect(request.method == "POST" && request.target == "/v1/frames/query")
        #expect(request.headers.first(name: "Content-Type") == "application/json")
        #expect(try WireFormat.decode(FrameQuery.self, from: request.body) == query)
    }

    @Test func `frames are changed and deleted, one or many`() async throws {
        let outcome = FrameOutcome(changed: 1, missing: [id])
        let change = FrameChange(.ids([id]), FrameEdit(pinned: true))
        let (changed, one) = try await calling(.json(outcome)) { try await $0.change(change) }
        #expect(changed == outcome)
        #expect(one.method == "PATCH" && one.target == "/v1/frames")
        #expect(try WireFormat.decode(FrameChange.self, from: one.body) == change)
        let (deleted, two) = try await calling(.json(outcome)) { try await $0.delete(.filter(.is(.tag("a")))) }
        #expect(deleted == outcome)
        #expect(two.method == "DELETE" && two.target == "/v1/frames")
        #expect(try WireFormat.decode(FrameSelection.self, from: two.body) == .filter(.is(.tag("a"))))
    }

    @Test func `spools are asked for, verified and thinned out, however long that takes`() async throws {
        let list = SpoolList(spools: [SpoolReport(spool: "default", folder: "/spool", state: .available)])
        let (spools, one) = try await calling(.json(list)) { try await $0.spools() }
        #expect(spools == list)
        #expect(one.method == "GET" && one.target == "/v1/spool")
        let reports = VerificationList(reports: [VerificationReport(spool: "default")])
        let verification = VerificationRequest(deep: true, spool: "usb")
        let (verified, two) = try await calling(.json(reports)) { try await $0.verify(verification) }
        #expect(verified == reports)
        #expect(two.method == "POST" && two.target == "/v1/spool/verify")
        #expect(try WireFormat.decode(VerificationRequest.self, from: two.body) == verification)
        let retention = RetentionList(reports: [RetentionReport(spool: "default", isDryRun: true)])
        let (thinned, three) = try await calling(.json(retention)) {
            try await $0.retention(RetentionRequest(dryRun: true))
        }
        #expect(thinned == retention)
        #expect(three.method == "POST" && three.target == "/v1/spool/retention")
        #expect(try WireFormat.decode(RetentionRequest.self, from: three.body) == RetentionRequest(dryRun: true))
    }

    @Test func `a problem of the spool is thrown as it is`() async throws {
        let problem = Problem(.frameNotFound, "It is gone.", remedy: "Look for another.")
        let thrown = await #expect(throws: Problem.self) {
            try await FakeDaemon.serving(always: .json(problem, status: 404, type: Problem.mediaType)) { daemon in
                _ = try await ControlClient(socket: daemon.socket).frame(id)
            }
        }
        #expect(thrown == problem)
    }
}
