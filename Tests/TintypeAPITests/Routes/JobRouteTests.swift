// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeModel

@testable import TintypeAPI

struct JobRouteTests {
    @Test(
        arguments: [
            (.clip, "pattern", .still, 200, 200), (.clip, "pattern", .view, 200, 403),
            (.clip, "idle", .admin, 404, 404), (.film, "pattern", .still, 200, 403),
            (.film, "pattern", .control, 200, 200), (.upload, nil, .admin, 404, 404),
        ] as [(Job.Kind, String?, Role, UInt, UInt)]
    )
    func `a client controls the clips of its cameras, and sees no other jobs`(
        kind: Job.Kind,
        camera: String?,
        role: Role,
        reading: UInt,
        changing: UInt
    ) async throws {
        var jobs = FakeJobs()
        (jobs.job.kind, jobs.job.camera) = (kind, camera)
        let rules = [AccessRule(.user("1001"), .role(role, cameras: ["pattern"]))]
        let services = ControlServices.fakes(jobs: jobs, access: AccessPolicy(AccessRules(rules)))
        let responder = ControlResponder(services, logger: .quiet)
        func status(_ line: String) async throws -> Reply {
            try await ask(responder, line, [:], nil, from: .process(7, user: 1001, groups: []))
        }
        #expect(try await status("GET /v1/jobs/k3v9qa2m").status == reading)
        #expect(try await status("GET /v1/jobs").value(JobList.self).jobs.count == (reading == 200 ? 1 : 0))
        for verb in ["pause", "resume", "cancel", "retry"] {
            #expect(try await status("POST /v1/jobs/k3v9qa2m/\(verb)").status == changing)
        }
        #expect(jobs.log.calls.count == (changing == 200 ? 4 : 0))
    }

    @Test(arguments: Transport.allCases)
    func `jobs are listed, read, made, changed and deleted`(transport: Transport) async throws {
        let jobs = FakeJobs()
        try await withAPI(transport, jobs: jobs) { api in
            let list = try await api("GET /v1/jobs").value(JobList.self)
            #expect(list == JobList(jobs: [FakeJobs.job], worker: true, unavailable: ["usb"]))
            #expect(try await api("GET /v1/jobs/k3v9qa2m").value(Job.self) == FakeJobs.job)
            #expect(try await api("GET /v1/jobs/other").problem.code == .notFound)
            let made = try await api("POST /v1/jobs", body: #"{"where": "tag:a", "to": "s3:b/{id}", "limit": 2048}"#)
            #expect(try made.status == 201 && made.value(Job.self) == FakeJobs.job)
            for verb in ["pause", "resume", "cancel", "retry"] {
                #expect(try await api("POST /v1/jobs/k3v9qa2m/\(verb)").value(Job.self) == FakeJobs.job)
            }
            #expect(try await api("POST /v1/jobs/k3v9qa2m/begin").status == 404)
            #expect(try await api("PATCH /v1/jobs/k3v9qa2m", body: #"{"priority": 7}"#).status == 200)
            #expect(try await api("DELETE /v1/jobs/k3v9qa2m").status == 204)
        }
        var options = UploadOptions(to: "s3:b/{id}")
        options.limit = 2048
        let request = JobRequest(.is(.tag("a")), options)
        let events: [JobState.Event] = [.pause, .resume, .cancel, .retry]
        let commands = events.map { FakeJobs.Call.change("k3v9qa2m", $0) }
        #expect(jobs.log.calls == [.add(request)] + commands + [.priority(7), .delete("k3v9qa2m")])
    }

    @Test(arguments: [
        ("{}", "where"), (#"{"where": "all()"}"#, "to"), (#"{"where": "all()", "to": "s3:b/same.jpg"}"#, "to"),
        (#"{"where": "all()", "to": "s3:b/{id}", "priority": 101}"#, "priority"),
    ])
    func `a job without a usable target is refused`(body: String, field: String) async throws {
        let jobs = FakeJobs()
        try await withAPI(.router, jobs: jobs) { api in
            let problem = try await api("POST /v1/jobs", body: body).problem
            #expect(problem.code == .invalidRequest && problem.field == field)
        }
        #expect(jobs.log.calls.isEmpty)
    }

    @Test(arguments: Transport.allCases)
    func `the worker gets pictures of its batch, and reports results`(transport: Transport) async throws {
        let jobs = FakeJobs()
        try await withAPI(transport, jobs: jobs) { api in
            let picture = try await api("GET /v1/work/b1/\(Samples.id)")
            #expect(
                picture.status == 200 && picture.body == [1, 2, 3] && picture.headers["content-type"] == "image/jpeg"
            )
            #expect(try await api("GET /v1/work/b1/none").problem.code == .frameNotFound)
            let body = """
                {"done": ["\(Samples.id)"], "failures": [{"id": "\(Samples.id)", "error": "No.", "isFinal": true}], \
                "bytes": 9, "isOver": true}
                """
            #expect(try await api("POST /v1/work/b1", body: body).status == 204)
            #expect(try await api("POST /v1/work/b1", body: #"{"done": [1]}"#).status == 400)
        }
        var report = WorkReport()
        (report.done, report.bytes, report.isOver) = ([Samples.id], 9, true)
        report.failures = [WorkReport.Failure(id: Samples.id, error: "No.", isFinal: true)]
        #expect(jobs.reports.calls == [report])
        #expect(jobs.log.calls == [.file(Samples.id, "b1")])
    }

    @Test func `orders come as lines of one reply`() async throws {
        let jobs = FakeJobs()
        var begin = WorkOrder(.begin, batch: "b1")
        (begin.job, begin.upload) = ("k3v9qa2m", UploadOptions(to: "s3:b/{id}"))
        let time = Timestamp(microseconds: 5)
        begin.pictures = [WorkPicture(id: Samples.id, camera: "yard", path: "a.jpg", bytes: 3, capturedAt: time)]
        let orders = [WorkOrder(.idle), begin, WorkOrder(.stop, batch: "b1")]
        jobs.session.orders.withLock { $0 = orders }
        try await withAPI(.router, jobs: jobs) { api in
            let reply = try await api("POST /v1/work")
            #expect(reply.status == 200 && reply.headers["content-type"] == WorkOrder.mediaType)
            let lines = reply.body.split(separator: UInt8(ascii: "\n"))
            #expect(try lines.map { try WireFormat.decode(WorkOrder.self, from: $0) } == orders)
        }
        #expect(jobs.session.hasEnded)
    }

    @Test func `a worker that disconnects ends its session at once`() async throws {
        let jobs = FakeJobs()
        jobs.session.ends.withLock { $0 = false }
        try await withServer(jobs: jobs) { path, _ in
            let client = try await RawClient(path, sending: "POST /v1/work HTTP/1.1\r\nHost: a\r\n\r\n")
            var text = ""
            while !text.contains("idle"), let more = await client.next() {
                text += String(decoding: more, as: UTF8.self)
            }
            #expect(!jobs.session.hasEnded)
            try await client.close()
            try await eventually("the session ends") { jobs.session.hasEnded }
        }
    }

    @Test func `a second worker is refused before the reply begins`() async throws {
        var jobs = FakeJobs()
        jobs.failure = Problem(.configurationConflict, "A worker is connected already (uid 7).", remedy: "Stop it.")
        try await withAPI(.socket, jobs: jobs) { api in
            let reply = try await api("POST /v1/work")
            #expect(try reply.status == 412 && reply.problem.detail.contains("uid 7"))
        }
    }

    @Test func `the health has the faults of jobs`() async throws {
        var jobs = FakeJobs()
        var reason = HealthReason(.jobBehind, "It is behind.", remedy: "Look.")
        reason.job = "k3v9qa2m"
        jobs.reasons = [reason]
        try await withAPI(.router, jobs: jobs) { api in
            let health = try await api("GET /healthz").value(Health.self)
            #expect(health.reasons?.last == reason && health.status == .degraded)
        }
    }
}
