// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import Testing
import TintypeModel

@testable import TintypeAPI

struct ProblemTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var request: String
        var body: String?
        var code: ProblemCode
        var field: String?
        var testDescription: String { "\(request) \(body?.prefix(40) ?? "")" }
    }

    private static let still = "GET /v1/cameras/pattern/still.jpg"
    private static let stills = "POST /v1/cameras/pattern/stills"

    static let cases = [
        Case(request: "GET /nothing", code: .notFound),
        Case(request: "GET /v1/cameras/pattern/nothing", code: .notFound),
        Case(request: "PATCH /healthz", code: .methodNotAllowed),
        Case(request: "DELETE /v1/cameras/pattern", code: .methodNotAllowed),
        Case(request: "DELETE /v1/cameras/pattern/configuration", code: .methodNotAllowed),
        Case(request: "GET /v1/cameras/other", code: .cameraNotFound),
        Case(request: "PUT /v1/cameras/other/configuration", body: "{}", code: .cameraNotFound),
        Case(request: "GET /v1/cameras/other/formats", code: .cameraNotFound),
        Case(request: "GET /v1/cameras/other/still.jpg", code: .cameraNotFound),
        Case(request: "GET /v1/frames/12", code: .frameNotFound),
        Case(request: "\(still)?keep", code: .invalidRequest, field: "keep"),
        Case(request: "GET /v1/frames/01937a2e-7c11-7abc-8def-0123456789ab", code: .frameNotFound),
        Case(request: "GET /v1/frames/01937a2e-7c11-7abc-8def-0123456789ab/image", code: .frameNotFound),
        Case(request: "\(still)?fresh=old", code: .invalidRequest, field: "fresh"),
        Case(request: "\(still)?quailty=80", code: .invalidRequest, field: "quailty"),
        Case(request: stills, body: "{", code: .invalidRequest),
        Case(request: stills, body: #"{"quality":"high"}"#, code: .invalidRequest, field: "quality"),
        Case(request: stills, body: String(repeating: " ", count: 65_537), code: .tooLarge),
    ]

    @Test(arguments: Transport.allCases, cases)
    func `every error reply is a problem document`(transport: Transport, each: Case) async throws {
        try await withAPI(transport) { api in
            let reply = try await api(each.request, body: each.body)
            #expect(reply.headers["content-type"] == "application/problem+json")
            let problem = try reply.problem
            #expect(problem.code == each.code)
            #expect(problem.field == each.field)
            #expect(reply.status == each.code.status)
            #expect(!problem.remedy.isEmpty)
        }
    }

    private static let hold = "POST /v1/cameras/pattern/hold"
    private static let trigger = "POST /v1/cameras/pattern/trigger"
    private static let scan = "POST /v1/cameras/pattern/scan"
    private static let configure = "PUT /v1/cameras/pattern/configuration"
    private static let control = "PATCH /v1/cameras/pattern/controls"
    private static let query = "POST /v1/frames/query"
    private static let frame = "/v1/frames/\(Samples.id)"
    private static let filters = String(repeating: "all(),", count: 1000)

    @Test(
        arguments: [
            (trigger, #"{"afterMs":0}"#, "afterMs"), (trigger, #"{"beforeMs":-1}"#, "beforeMs"),
            (trigger, #"{"tag":"door"}"#, "tag"), (trigger, #"{"tags":["a b"]}"#, "tags"),
            (scan, #"{"deadlineMs":0}"#, "deadlineMs"), (scan, #"{"keep":true}"#, "keep"),
            (hold, nil, nil), (hold, "", nil), (configure, nil, nil), (control, "", nil), (control, "{}", nil),
            (control, "[1]", nil), (control, "{", nil), (control, #"{"gain": 1.5}"#, "gain"),
            (control, #"{"gain": null}"#, "gain"), (control, #"{"gain": {}}"#, "gain"),
            (control, #"{"gain": [1]}"#, "gain"),
            (configure, #"{"preset":"best"}"#, "preset"), (configure, #"{"format":"mjpg"}"#, "format"),
            (configure, #"{"format":[]}"#, "format"), (configure, #"{"format":["YUYV","H264"]}"#, "format"),
            (configure, #"{"size":"big"}"#, "size"), (configure, #"{"size":{}}"#, "size"),
            (configure, #"{"rate":0}"#, "rate"), (configure, #"{"rate":"at most 5"}"#, "rate"),
            (configure, #"{"input":-1}"#, "input"), (configure, #"{"standard":"P A L"}"#, "standard"),
            (configure, #"{"crop":"1x1"}"#, "crop"), (configure, #"{"warmth":"warm"}"#, "warmth"),
            (configure, #"{"colour":1}"#, "colour"), ("GET /v1/frames?limt=1", nil, "limt"),
            (query, #"{"page":1}"#, "page"), (query, #"{"where":"\#(filters)bytes>1"}"#, "where"),
            ("PATCH /v1/frames", #"{"where":"pinned"}"#, "pinned"), ("DELETE /v1/frames", "{}", "ids"),
            ("PATCH \(frame)", #"{"addTags":["a,b"]}"#, "addTags"), ("GET \(frame)/thumbnail?width=15", nil, "width"),
            ("GET \(frame)/thumbnail?height=9", nil, "height"), ("POST /v1/spool/verify", #"{"depth":1}"#, "depth"),
            ("POST /v1/spool/retention", #"{"confirm":1}"#, "confirm"),
        ] as [(String, String?, String?)]
    )
    func `an invalid request is refused by field without any effect`(request: String, body: String?, field: String?)
        async throws
    {
        let (cameras, frames) = (FakeCameras(), FakeFrames())
        try await withAPI(.router, cameras: cameras, frames: frames) { api in
            let reply = try await api(request, body: body)
            #expect(reply.status == 400)
            let problem = try reply.problem
            #expect(problem.code == .invalidRequest && problem.field == field)
            #expect(problem.remedy.hasSuffix(".") || problem.remedy.hasPrefix("Did you mean "), "\(problem.remedy)")
        }
        #expect(frames.log.calls.isEmpty && cameras.holds.calls.isEmpty && cameras.triggers.calls.isEmpty)
        #expect(cameras.scans.calls.isEmpty)
    }

    @Test(arguments: Transport.allCases)
    func `an unknown path points to the contract`(transport: Transport) async throws {
        try await withAPI(transport) { api in
            let problem = try await api("GET /nothing").problem
            #expect(problem.remedy.contains("/openapi.json"))
        }
    }

    @Test(arguments: Transport.allCases)
    func `a wrong method gets 405 with the allowed ones`(transport: Transport) async throws {
        try await withAPI(transport) { api in
            let requests = [
                ("GET /v1/cameras/pattern/stills", "POST"), ("POST /v1/cameras", "GET, HEAD"),
                // `query` is not a frame ID.
                ("GET /v1/frames/query", "POST"), ("DELETE /v1/frames/query", "POST"),
                ("PATCH /v1/frames/query", "POST"), ("POST /v1/frames", "DELETE, GET, HEAD, PATCH"),
            ]
            for (request, allowed) in requests {
                let reply = try await api(request)
                #expect(reply.status == 405 && reply.headers["allow"] == allowed, "\(request)")
            }
        }
    }

    @Test func `Retry-After is rounded up to whole seconds`() async throws {
        let cameras = FakeCameras(take: { _, _ throws(Problem) in
            throw Problem(.deviceLost, "It is gone.", remedy: "Wait.", retryAfter: .milliseconds(1200))
        })
        try await withAPI(.router, cameras: cameras) { api in
            let reply = try await api("GET /v1/cameras/pattern/still.jpg")
            #expect(reply.status == 503)
            #expect(reply.headers["retry-after"] == "2")
        }
    }

    @Test func `only known errors map to a problem`() {
        struct Secret: Error {}
        #expect(Problem(mapping: Secret()) == nil)
        #expect(Problem(mapping: HTTPError(.internalServerError)) == nil)
        let problem = Problem(.noSignal, "a", remedy: "b")
        #expect(Problem(mapping: problem) == problem)
        #expect(Problem(mapping: HTTPError(.badRequest, message: "Bad."))?.code == .invalidRequest)
        #expect(Problem(mapping: CancellationError())?.code == .stopping)
    }

    @Test func `an internal error discloses only its request ID`() {
        let problem = Problem.unexpected(request: "17")
        #expect(problem.code == .internalError)
        #expect(problem.detail == "The daemon failed at request 17.")
    }
}
