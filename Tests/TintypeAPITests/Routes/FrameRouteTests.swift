// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct FrameRouteTests {
    private static let id = Samples.id
    private static let other = "01937a2e-7c11-7abc-8def-0123456789ab"

    @Test(arguments: Transport.allCases)
    func `frames are listed by query parameters or by a JSON query`(transport: Transport) async throws {
        let frames = FakeFrames()
        try await withAPI(transport, frames: frames) { api in
            let page = try await api("GET /v1/frames?where=camera:yard,+not%20pinned&order=oldest&limit=7")
            #expect(page.status == 200)
            #expect(page.headers["cache-control"] == "no-store")
            let list = try page.value(FramePage.self)
            #expect(list.frames == [Samples.frame(frames.stored.record)])
            #expect(list.unavailable == ["usb"])
            let next = try #require(list.next)
            _ = try await api("GET /v1/frames?order=oldest&cursor=\(next)")
            _ = try await api("GET /v1/frames?&")
            let body = #"{"where":"any(tag:alarm, bytes>=5)","order":"oldest","cursor":"\#(next)"}"#
            let posted = try await api("POST /v1/frames/query", body: body)
            #expect(posted.status == 200)
            #expect(try await api("POST /v1/frames/query").status == 200)
            let cursor = FrameCursor(.oldest, after: Self.id)
            #expect(
                frames.log.calls == [
                    .frames(
                        FrameQuery(
                            filter: .all([.is(.camera("yard")), .not(.is(.pinned(true)))]),
                            order: .oldest,
                            limit: 7
                        )
                    ), .frames(FrameQuery(order: .oldest, cursor: cursor)), .frames(FrameQuery()),
                    .frames(
                        FrameQuery(
                            filter: .any([.is(.tag("alarm")), .is(.measure(.bytes, 5...Int.max))]),
                            order: .oldest,
                            cursor: cursor
                        )
                    ), .frames(FrameQuery()),
                ]
            )
        }
    }

    @Test(arguments: Transport.allCases)
    func `frames are counted between times`(transport: Transport) async throws {
        let frames = FakeFrames()
        try await withAPI(transport, frames: frames) { api in
            let times = "2026-11-29T23:00:00Z,1796079600123,2026-12-02T00:00:00%2B01:00"
            let reply = try await api("GET /v1/frames/days?where=camera:yard&times=\(times)")
            #expect(reply.status == 200 && reply.headers["cache-control"] == "no-store")
            let list = try reply.value(FrameSpanList.self)
            let texts = ["2026-11-29T23:00:00Z", "2026-11-30T23:00:00.123Z", "2026-12-01T23:00:00Z"]
            let read = texts.compactMap { Timestamp($0) }
            #expect(list.spans.map(\.from) == [read[0], read[1]] && list.spans.map(\.to) == [read[1], read[2]])
            #expect(list.spans.map(\.frames) == [3, 3] && list.unavailable == ["usb"])
            #expect(frames.log.calls == [.spans(FrameSpanQuery(filter: .is(.camera("yard")), times: read))])
            for query in ["", "?times=2,1"] {
                let refused = try await api("GET /v1/frames/days\(query)")
                #expect(try refused.status == 400 && refused.problem.field == "times")
            }
        }
    }

    @Test(arguments: Transport.allCases)
    func `one frame is changed and deleted by its ID`(transport: Transport) async throws {
        let frames = FakeFrames()
        try await withAPI(transport, frames: frames) { api in
            let changed = try await api("PATCH /v1/frames/\(Self.id)", body: #"{"pinned":true,"addTags":["a"]}"#)
            #expect(changed.status == 200)
            #expect(try changed.value(FrameRecord.self).pinned)
            let deleted = try await api("DELETE /v1/frames/\(Self.id)")
            #expect(deleted.status == 204 && deleted.body.isEmpty)
            for request in ["PATCH /v1/frames/\(Self.other)", "DELETE /v1/frames/\(Self.other)"] {
                let reply = try await api(request, body: #"{"pinned":true}"#)
                #expect(try reply.problem.code == .frameNotFound)
            }
            #expect(
                frames.log.calls.prefix(2) == [
                    .change(FrameChange(.ids([Self.id]), FrameEdit(pinned: true, addTags: ["a"]))),
                    .delete(.ids([Self.id])),
                ]
            )
        }
        try await withAPI(transport, frames: FakeFrames(isFull: true)) { api in
            let reply = try await api("PATCH /v1/frames/\(Self.id)", body: #"{"addTags":["a"]}"#)
            #expect(reply.status == 400)
            #expect(try reply.problem.field == "addTags")
        }
    }

    @Test(arguments: Transport.allCases)
    func `one request can change or delete 10,000 frames`(transport: Transport) async throws {
        let frames = FakeFrames()
        let ids = (0..<FrameSelection.mostIDs).map { FrameID(at: Timestamp(microseconds: Int64($0) * 1000)) }
        try await withAPI(transport, frames: frames) { api in
            let body = String(decoding: try WireFormat.encode(FrameSelection.ids(ids)), as: UTF8.self)
            let deleted = try await api("DELETE /v1/frames", body: body)
            #expect(deleted.status == 200)
            #expect(try deleted.value(FrameOutcome.self) == FrameOutcome(missing: ids))
            let changed = try await api("PATCH /v1/frames", body: #"{"where":"tag:alarm","pinned":false}"#)
            #expect(try changed.value(FrameOutcome.self) == FrameOutcome(changed: 1))
            #expect(
                frames.log.calls == [
                    .delete(.ids(ids)), .change(FrameChange(.filter(.is(.tag("alarm"))), FrameEdit(pinned: false))),
                ]
            )
            let long = body + String(repeating: " ", count: 600 << 10)
            #expect(try await api("DELETE /v1/frames", body: long).status == 413)
        }
    }

    @Test func `a failed change or deletion is reported with its problem`() async throws {
        let trouble = Problem(.spoolUnavailable, "It may not be removed.", remedy: "Look at its folder.")
        try await withAPI(.router, frames: FakeFrames(trouble: trouble)) { api in
            for request in ["PATCH /v1/frames/\(Self.id)", "DELETE /v1/frames/\(Self.id)"] {
                let reply = try await api(request, body: #"{"pinned":true}"#)
                #expect(try reply.status == 507 && reply.problem == trouble)
            }
            let many = try await api("DELETE /v1/frames", body: #"{"where":"lost"}"#)
            #expect(many.status == 200)
            let outcome = try many.value(FrameOutcome.self)
            #expect(outcome == FrameOutcome(failed: [Self.id], problem: trouble))
        }
    }

    @Test(arguments: Transport.allCases)
    func `a thumbnail has the requested width and a weak entity tag`(transport: Transport) async throws {
        let frames = FakeFrames()
        try await withAPI(transport, frames: frames) { api in
            let path = "/v1/frames/\(Self.id)/thumbnail"
            let reply = try await api("GET \(path)")
            #expect(reply.status == 200)
            #expect(reply.headers["content-type"] == "image/jpeg")
            #expect(reply.headers["cache-control"] == "private, max-age=31536000, immutable")
            #expect(reply.headers["etag"] == "W/\"\(Self.id)-320\"")
            #expect(reply.body == Array(frames.stored.picture.prefix(320)))
            let wide = try await api("HEAD \(path)?width=1920")
            #expect(wide.headers["content-length"] == "1920" && wide.body.isEmpty)
            for condition in ["W/\"\(Self.id)-320\"", "*"] {
                let again = try await api("GET \(path)", headers: ["If-None-Match": condition])
                #expect(again.status == 304 && again.body.isEmpty)
                #expect(again.headers["etag"] == "W/\"\(Self.id)-320\"")
            }
            for condition in ["\"\(Self.id)\"", "W/\"\(Self.id)-640\""] {
                #expect(try await api("GET \(path)", headers: ["If-None-Match": condition]).status == 200)
            }
            let gone = try await api("GET /v1/frames/\(Self.other)/thumbnail", headers: ["If-None-Match": "*"])
            #expect(try gone.problem.code == .frameNotFound)
        }
        #expect(frames.log.calls == [320, 1920, 320, 320].map { .thumbnail($0) })
    }

    @Test(arguments: Transport.allCases)
    func `spools can be listed, verified and pruned`(transport: Transport) async throws {
        let frames = FakeFrames()
        try await withAPI(transport, frames: frames) { api in
            let spools = try await api("GET /v1/spool")
            #expect(try spools.value(SpoolList.self).spools == [Samples.spool, Samples.deadSpool])
            // Clients of versions that stored thumbnails require the field.
            #expect(spools.text.replacing(" ", with: "").contains(#""thumbnailBytes":0"#))
            let plain = try await api("POST /v1/spool/verify")
            let verified = try plain.value(VerificationList.self)
            #expect(verified.reports.map(\.isDeep) == [false] && verified.unavailable == ["usb"])
            _ = try await api("POST /v1/spool/verify", body: #"{"deep":true,"spool":"usb"}"#)
            let dry = try await api("POST /v1/spool/retention", body: #"{"dryRun":true}"#)
            let thinned = try dry.value(RetentionList.self)
            #expect(thinned.reports == [Samples.retention(isDryRun: true)] && thinned.unavailable == ["usb"])
            _ = try await api("POST /v1/spool/retention", body: #"{"confirm":true}"#)
            _ = try await api("POST /v1/spool/retention")
        }
        #expect(
            frames.log.calls == [
                .verify(VerificationRequest()), .verify(VerificationRequest(deep: true, spool: "usb")),
                .retention(RetentionRequest(dryRun: true)), .retention(RetentionRequest(confirm: true)),
                .retention(RetentionRequest()),
            ]
        )
    }

    @Test(arguments: [
        "GET /v1/frames", "GET /v1/frames/days?times=1,2", "GET /v1/frames/\(Samples.id)",
        "GET /v1/frames/\(Samples.id)/thumbnail",
        "POST /v1/spool/verify", "POST /v1/spool/retention",
    ])
    func `an unavailable spool is reported with its problem`(request: String) async throws {
        let failure = Problem(.spoolUnavailable, "It is gone.", remedy: "Plug it in.", retryAfter: .seconds(10))
        try await withAPI(.router, frames: FakeFrames(failure: failure)) { api in
            let reply = try await api(request)
            #expect(reply.status == 507)
            #expect(reply.headers["retry-after"] == "10")
            #expect(try reply.problem == failure)
        }
    }
}
