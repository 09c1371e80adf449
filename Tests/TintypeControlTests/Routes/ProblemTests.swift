// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import Testing
import TintypeModel

@testable import TintypeControl

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
        Case(request: "GET /v1/cameras/other", code: .cameraNotFound),
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
    func `every error is a problem document`(transport: Transport, each: Case) async throws {
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

    @Test func `an unknown path points to the contract`() async throws {
        try await withAPI(.router) { api in
            let problem = try await api("GET /nothing").problem
            #expect(problem.remedy.contains("/openapi.json"))
        }
    }

    @Test func `a wrong method is told the right ones`() async throws {
        try await withAPI(.router) { api in
            let stills = try await api("GET /v1/cameras/pattern/stills")
            #expect(stills.headers["allow"] == "POST")
            let cameras = try await api("POST /v1/cameras")
            #expect(cameras.headers["allow"] == "GET, HEAD")
        }
    }

    @Test func `a wait that helps is told in whole seconds, rounded up`() async throws {
        let cameras = FakeCameras(take: { _, _ throws(Problem) in
            throw Problem(.deviceLost, "It is gone.", remedy: "Wait.", retryAfter: .milliseconds(1200))
        })
        try await withAPI(.router, cameras: cameras) { api in
            let reply = try await api("GET /v1/cameras/pattern/still.jpg")
            #expect(reply.status == 503)
            #expect(reply.headers["retry-after"] == "2")
        }
    }

    private struct Secret: Error {}

    @Test func `an error that nobody foresaw has no problem of its own`() {
        #expect(Problem(mapping: Secret()) == nil)
        #expect(Problem(mapping: HTTPError(.internalServerError)) == nil)
    }

    @Test func `a problem stays itself, and the router's refusals are invalid requests`() {
        let problem = Problem(.noSignal, "a", remedy: "b")
        #expect(Problem(mapping: problem) == problem)
        #expect(Problem(mapping: HTTPError(.badRequest, message: "Bad."))?.code == .invalidRequest)
        #expect(Problem(mapping: CancellationError())?.code == .stopping)
    }

    @Test func `an internal error names its request and no detail`() {
        let problem = Problem.unexpected(request: "17")
        #expect(problem.code == .internalError)
        #expect(problem.detail == "The daemon failed at request 17.")
    }
}
