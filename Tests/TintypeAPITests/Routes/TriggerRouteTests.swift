// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

@testable import TintypeAPI

struct TriggerRouteTests {
    @Test(arguments: Transport.allCases)
    func `a trigger replies with the pictures that are stored`(transport: Transport) async throws {
        let cameras = FakeCameras()
        try await withAPI(transport, cameras: cameras) { api in
            let body = #"{"beforeMs":5000,"afterMs":1500,"nth":3,"tags":["door","bell"],"clip":true}"#
            let reply = try await api("POST /v1/cameras/pattern/trigger", body: body)
            #expect(reply.status == 202 && reply.headers["cache-control"] == "no-store")
            let (time, tags) = (Samples.until, ["door", "bell"])
            #expect(try reply.value(TriggerReport.self) == TriggerReport(from: time, until: time, nth: 3, tags: tags))
            for body in [nil, "", "{}"] {
                #expect(try await api("POST /v1/cameras/pattern/trigger", body: body).status == 202)
            }
            #expect(try await api("POST /v1/cameras/nobody/trigger").problem.code == .cameraNotFound)
        }
        var first = TriggerRequest()
        (first.beforeMs, first.afterMs) = (Milliseconds(.seconds(5)), Milliseconds(.milliseconds(1500)))
        (first.nth, first.tags, first.clip) = (3, ["door", "bell"], true)
        #expect(cameras.triggers.calls == [first] + Array(repeating: TriggerRequest(), count: 3))
        let standard = cameras.triggers.calls[1]
        #expect(standard.beforeMs == nil && standard.afterMs.duration == .seconds(10))
        #expect(standard.nth == 1 && standard.tags == ["trigger"] && !standard.clip)
    }

    @Test func `a trigger takes the role of a still`() throws {
        let routes = ControlResponder(.fakes(), logger: .quiet).routes
        let route = try #require(routes.first { $0.endpoint.path == "/v1/cameras/{camera}/trigger" })
        #expect(route.endpoint.access == .role(.still))
    }
}
