// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

@testable import TintypeAPI

struct ClipRouteTests {
    @Test(arguments: Transport.allCases)
    func `a clip replies with its job`(transport: Transport) async throws {
        let cameras = FakeCameras()
        try await withAPI(transport, cameras: cameras) { api in
            let body = #"{"forMs":3000,"beforeMs":2000,"original":true,"tags":["door"]}"#
            let reply = try await api("POST /v1/cameras/pattern/clips", body: body)
            #expect(reply.status == 201)
            let job = try reply.value(Job.self)
            #expect(job.kind == .clip && job.camera == "pattern")
            #expect(try await api("POST /v1/cameras/pattern/clips").status == 201)
            #expect(try await api("POST /v1/cameras/nobody/clips").problem.code == .cameraNotFound)
            for body in [#"{"forMs":0}"#, #"{"beforeMs":-1}"#, #"{"original":"yes"}"#, #"{"length":1}"#] {
                #expect(try await api("POST /v1/cameras/pattern/clips", body: body).problem.code == .invalidRequest)
            }
        }
        var first = ClipRequest()
        (first.forMs, first.beforeMs) = (Milliseconds(.seconds(3)), Milliseconds(.seconds(2)))
        (first.original, first.tags) = (true, ["door"])
        #expect(cameras.clips.calls == [first, ClipRequest()])
    }

    @Test func `a clip takes the role of a still`() throws {
        let routes = ControlResponder(.fakes(), logger: .quiet).routes
        let route = try #require(routes.first { $0.endpoint.path == "/v1/cameras/{camera}/clips" })
        #expect(route.endpoint.access == .role(.still))
    }
}
