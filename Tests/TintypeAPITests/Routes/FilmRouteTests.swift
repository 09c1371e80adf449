// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

@testable import TintypeAPI

struct FilmRouteTests {
    @Test(arguments: Transport.allCases)
    func `a film is made of the pictures of a filter`(transport: Transport) async throws {
        let jobs = FakeJobs()
        try await withAPI(transport, jobs: jobs) { api in
            let body = #"{"where": "camera:yard, tag:noon", "speed": 600, "cutMs": 1000, "tags": ["a"], "priority": 3}"#
            let made = try await api("POST /v1/films", body: body)
            #expect(try made.status == 201 && made.value(Job.self) == FakeJobs.job)
        }
        var request = FilmRequest(.all([.is(.camera("yard")), .is(.tag("noon"))]))
        (request.style.speed, request.style.cutMs) = (600, Milliseconds(.seconds(1)))
        (request.tags, request.priority) = (["a"], 3)
        #expect(jobs.log.calls == [.film(request)])
    }

    @Test(arguments: [
        ("{}", "where"), (#"{"where": "tag:noon"}"#, "where"), (#"{"where": "camera:a", "fps": 0}"#, "fps"),
        (#"{"where": "camera:a", "fps": 5, "speed": 5}"#, "speed"), (#"{"where": "camera:a", "cutMs": 5}"#, "cutMs"),
    ])
    func `a film of several cameras, or of contradictory times, is refused`(body: String, field: String) async throws {
        let jobs = FakeJobs()
        try await withAPI(.router, jobs: jobs) { api in
            let problem = try await api("POST /v1/films", body: body).problem
            #expect(problem.code == .invalidRequest && problem.field == field)
            let range = "The field fps is not a number from 0.1 to 60."
            #expect(field != "fps" || problem.detail == range, "\(problem)")
        }
        #expect(jobs.log.calls.isEmpty)
    }

    @Test(arguments: Transport.allCases)
    func `the worker pages through the pictures of a film, and reads a recording in parts`(
        transport: Transport
    ) async throws {
        let jobs = FakeJobs()
        let cursor = FrameCursor(.oldest, after: Samples.id)
        try await withAPI(transport, jobs: jobs) { api in
            let first = try await api("GET /v1/work/b1/pictures").value(FramePage.self)
            #expect(first.frames.map(\.id) == [Samples.id] && first.next == cursor)
            #expect(try await api("GET /v1/work/b1/pictures?cursor=\(cursor)").status == 200)
            for query in ["cursor=x", "cursor=\(FrameCursor(.newest, after: Samples.id))", "limit=5"] {
                let field = String(query.prefix { $0 != "=" })
                let problem = try await api("GET /v1/work/b1/pictures?\(query)").problem
                #expect(problem.field == field)
            }
            let whole = try await api("GET /v1/work/b1/recording")
            #expect(whole.body == Array(0..<100) && whole.headers["content-type"] == "application/octet-stream")
            let part = try await api("GET /v1/work/b1/recording", headers: ["Range": "bytes=10-19"])
            #expect(part.status == 206 && part.body == Array(10..<20))
        }
        #expect(jobs.log.calls == [.pictures("b1", nil), .pictures("b1", cursor), .recording("b1"), .recording("b1")])
    }

    @Test(arguments: Transport.allCases)
    func `the worker sends a film in parts of up to a mebibyte`(transport: Transport) async throws {
        let jobs = FakeJobs()
        let largest = String(repeating: "a", count: 1 << 20)
        try await withAPI(transport, jobs: jobs) { api in
            #expect(try await api("PUT /v1/work/b1/video?offset=0", body: largest).status == 204)
            #expect(try await api("PUT /v1/work/b1/video?offset=1048576", body: "b").status == 204)
            #expect(try await api("PUT /v1/work/b1/video?offset=0", body: largest + "a").status == 413)
            for query in ["", "?offset=-1", "?offset=x", "?offset="] {
                let problem = try await api("PUT /v1/work/b1/video\(query)", body: "c").problem
                #expect(problem.code == .invalidRequest && problem.field == "offset", "\(query)")
            }
        }
        #expect(jobs.log.calls == [.part(Array(largest.utf8), 0, "b1"), .part([98], 1 << 20, "b1")])
    }

    @Test func `the worker reports progress, and the film that is made`() async throws {
        let jobs = FakeJobs()
        try await withAPI(.router, jobs: jobs) { api in
            #expect(try await api("POST /v1/work/b1", body: #"{"progress": 0.5}"#).status == 204)
            let video = #"{"bytes": 9, "width": 64, "height": 48, "durationMs": 40.5, "pictures": 2}"#
            #expect(try await api("POST /v1/work/b1", body: #"{"isOver": true, "video": \#(video)}"#).status == 204)
            for (body, field) in [
                (#"{"progress": 1.5}"#, "progress"), (#"{"video": {"bytes": 9}}"#, "video.width"),
                (#"{"video": {"bytes": 0}}"#, "video.bytes"),
            ] {
                let problem = try await api("POST /v1/work/b1", body: body).problem
                #expect(problem.field == field)
            }
        }
        var (half, done) = (WorkReport(), WorkReport())
        (half.progress, done.isOver) = (0.5, true)
        done.video = VideoResult(
            bytes: 9,
            size: FrameSize(width: 64, height: 48),
            duration: .microseconds(40_500),
            pictures: 2
        )
        #expect(jobs.reports.calls == [half, done])
    }
}
