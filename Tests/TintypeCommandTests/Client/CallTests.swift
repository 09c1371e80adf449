// SPDX-License-Identifier: Apache-2.0
internal import NIOHTTP1
internal import Testing

@testable internal import TintypeModel
@testable internal import tintype

struct CallTests {
    /// A call, the request that it sends, and the reply that it reads.
    struct Call: CustomTestStringConvertible, Sendable {
        let line: String
        /// The content of the request, if any.
        let body: (any Encodable & Sendable)?
        let reply: FakeDaemon.Reply
        /// Makes the call and compares the result with the reply.
        let run: @Sendable (ControlClient) async throws -> Void
        var testDescription: String { line }

        init<Value: Encodable & Equatable & Sendable>(
            _ line: String,
            _ value: Value,
            reply: FakeDaemon.Reply? = nil,
            body: (any Encodable & Sendable)? = nil,
            _ call: @escaping @Sendable (ControlClient) async throws -> Value
        ) {
            self.line = line
            self.body = body
            self.reply = reply ?? .json(value)
            run = { client in
                let returned = try await call(client)
                #expect(returned == value)
            }
        }
    }

    private static let settings = CameraSettings(
        format: FormatWish(preset: .high),
        input: InputWish(input: .index(1))
    )
    private static let report = ConfigurationReport(camera: "front", revision: 4, configuration: settings)
    private static let hold = HoldRequest(owner: "ann", duration: .seconds(600))
    private static let release = ReleaseRequest(owner: "bob")
    private static let trigger = TriggerRequest()
    private static let scan = ScanRequest(deadline: .seconds(3))
    private static let still = StillRequest(
        fresh: .maxAge(.milliseconds(200)),
        deadline: .seconds(3),
        durability: .data
    )
    private static let stills = StillList(stills: [Sample.record])

    private static let cameraCalls: [Call] = [
        Call("GET /healthz", Health(version: "9")) { try await $0.health() },
        Call("GET /v1/cameras", CameraList(cameras: [Sample.camera])) { try await $0.cameras() },
        Call("GET /v1/cameras/a%2Fb", Sample.camera) { try await $0.camera("a/b") },
        Call("GET /v1/cameras/front/formats", FormatList(formats: [])) { try await $0.formats(of: "front") },
        Call("POST /v1/cameras/a%2Fb/start", Sample.camera) { try await $0.start("a/b") },
        Call("POST /v1/cameras/front/stop", Sample.camera) { try await $0.stop("front") },
        Call("POST /v1/cameras/front/tolerance/reset", Sample.camera) { try await $0.resetTolerance(of: "front") },
        Call("POST /v1/cameras/front/hold", Sample.hold, body: hold) { try await $0.hold(hold, of: "front") },
        Call("POST /v1/cameras/front/release", HoldList(holds: [Sample.hold]), body: release) {
            try await $0.release(release, of: "front")
        },
        Call(
            "POST /v1/cameras/front/trigger",
            Sample.trigger,
            reply: .json(Sample.trigger, status: 202),
            body: trigger
        ) { try await $0.trigger(trigger, of: "front") },
        Call("POST /v1/cameras/front/scan", Sample.scan, body: scan) { try await $0.scan(scan, of: "front") },
        Call("GET /v1/cameras/front/configuration", report) { try await $0.configuration(of: "front") },
        Call("PUT /v1/cameras/front/configuration", report, body: settings) {
            try await $0.configure(settings, of: "front", ifRevision: nil)
        },
        Call("POST /v1/cameras/front/stills", stills, reply: .json(stills, status: 201), body: still) {
            StillList(stills: [try await $0.still(still, of: "front")])
        },
    ]

    private static let outcomes = ControlOutcomeList(outcomes: [ControlOutcome(name: "gain", result: .applied)])
    private static let wishes = ControlSettings(["gain": .text("50%"), "hflip": .boolean(true)])
    private static let profile = ControlProfile(name: "a b", source: .saved, controls: wishes)
    private static let control = ControlDescription(id: 1, title: "Gain", controlClass: "user_controls", type: .integer)
    private static let differences = ControlDifferenceList(
        profile: "a b",
        differences: [ControlDifference(name: "gain", wanted: .integer(1))]
    )
    private static let path = "/v1/cameras/front/controls"

    private static let controlCalls: [Call] = [
        Call("GET \(path)", ControlList(controls: [control])) { try await $0.controls(of: "front") },
        Call("PATCH \(path)", outcomes, body: wishes) { try await $0.setControls(wishes, of: "front") },
        Call("POST \(path)/reset", outcomes) { try await $0.resetControls(of: "front") },
        Call("GET \(path)/profiles", ControlProfileList(profiles: [profile])) { try await $0.profiles(of: "front") },
        Call("PUT \(path)/profiles/a%20b", profile) { try await $0.saveProfile("a b", of: "front") },
        Call("POST \(path)/profiles/a%20b/apply", outcomes) { try await $0.applyProfile("a b", of: "front") },
        Call("DELETE \(path)/profiles/a%20b", true, reply: .http(204, [:], [])) {
            try await $0.removeProfile("a b", of: "front")
            return true
        },
        Call("GET \(path)/profiles/a%20b/diff", differences) { try await $0.differences(from: "a b", of: "front") },
    ]

    private static let id = Sample.frame.id
    private static let page = FramePage(frames: [Sample.frame], next: FrameCursor(.oldest, after: id))
    private static let query = FrameQuery(
        filter: .any([.is(.camera("front")), .is(.since(.seconds(7)))]),
        order: .oldest,
        limit: 7,
        cursor: page.next
    )
    private static let change = FrameChange(.ids([id]), FrameEdit(pinned: true))
    private static let outcome = FrameOutcome(changed: 1, missing: [id])
    private static let selection = FrameSelection.filter(.is(.tag("a")))
    private static let spools = SpoolList(
        spools: [SpoolReport(spool: "default", folder: "/spool", state: .available)]
    )
    private static let verification = VerificationRequest(deep: true, spool: "usb")
    private static let verified = VerificationList(reports: [VerificationReport(spool: "default")])
    private static let retention = RetentionRequest(dryRun: true)
    private static let thinned = RetentionList(reports: [RetentionReport(spool: "default", isDryRun: true)])

    private static let frameCalls: [Call] = [
        Call("GET /v1/frames/\(id)", Sample.frame) { try await $0.frame(id) },
        Call("GET /v1/frames/\(id)/image", Sample.jpeg, reply: .http(200, [:], Sample.jpeg)) {
            try await $0.image(of: id)
        },
        Call("POST /v1/frames/query", page, body: query) { try await $0.frames(query) },
        Call("PATCH /v1/frames", outcome, body: change) { try await $0.apply(change) },
        Call("DELETE /v1/frames", outcome, body: selection) { try await $0.delete(selection) },
        Call("GET /v1/spool", spools) { try await $0.spools() },
        Call("POST /v1/spool/verify", verified, body: verification) { try await $0.verify(verification) },
        Call("POST /v1/spool/retention", thinned, body: retention) { try await $0.retention(retention) },
    ]

    private static let job = Sample.job("b2")
    private static let jobRequest = JobRequest(.everything, UploadOptions(to: "s3:bucket/{id}"))
    private static let priority = JobChange(priority: 7)
    private static let workReport = WorkReport()
    private static let film = FilmRequest(.is(.camera("front")))
    private static let clip = ClipRequest()

    private static let jobCalls: [Call] = [
        Call("GET /v1/jobs", JobList(jobs: [job], worker: true)) { try await $0.jobs() },
        Call("GET /v1/jobs/a%2Fb", job) { try await $0.job("a/b") },
        Call("POST /v1/jobs", job, body: jobRequest) { try await $0.addJob(jobRequest) },
        Call("POST /v1/jobs/b2/retry", job) { try await $0.changeJob("b2", by: .retry) },
        Call("PATCH /v1/jobs/b2", job, body: priority) { try await $0.changeJob("b2", priority) },
        Call("DELETE /v1/jobs/b2", "", reply: .http(204, [:], [])) {
            try await $0.deleteJob("b2")
            return ""
        },
        Call("GET /v1/work/b1/\(id)", Sample.jpeg, reply: .http(200, [:], Sample.jpeg)) {
            var bytes: [UInt8] = []
            try await $0.file(of: id, inBatch: "b1") { bytes += $0 }
            return bytes
        },
        Call("GET /v1/work/b1/pictures?cursor=\(FrameCursor(.oldest, after: id))", page) {
            try await $0.pictures(ofBatch: "b1", after: page.next)
        },
        Call("POST /v1/films", job, body: film) { try await $0.addFilm(film) },
        Call("POST /v1/cameras/front/clips", job, body: clip) { try await $0.record(clip, of: "front") },
        Call("POST /v1/work/b1", "", reply: .http(204, [:], []), body: workReport) {
            try await $0.report(workReport, ofBatch: "b1", within: .seconds(600))
            return ""
        },
    ]

    @Test(arguments: cameraCalls + controlCalls + frameCalls + jobCalls)
    func `a call sends its method, path and body and returns the decoded reply`(_ call: Call) async throws {
        try await FakeDaemon.serving(always: call.reply) { daemon in
            try await call.run(ControlClient(socket: daemon.socket))
            let request = try #require(daemon.log.requests.first)
            #expect("\(request.method) \(request.target)" == call.line)
            #expect(request.headers.first(name: "Content-Type") == (call.body == nil ? nil : "application/json"))
            let body = try call.body.map { try WireFormat.encode($0) } ?? []
            #expect(request.body == body)
        }
    }
}
