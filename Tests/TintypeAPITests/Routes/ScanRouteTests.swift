// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

@testable import TintypeAPI

struct ScanRouteTests {
    @Test(arguments: Transport.allCases)
    func `a scan replies with the codes and the record of the still`(transport: Transport) async throws {
        let cameras = FakeCameras()
        try await withAPI(transport, cameras: cameras) { api in
            let reply = try await api("POST /v1/cameras/pattern/scan", body: #"{"deadlineMs":1500}"#)
            #expect(reply.status == 200 && reply.headers["cache-control"] == "no-store")
            let report = ScanReport(codes: [Samples.code], still: Samples.still().record)
            #expect(try reply.value(ScanReport.self) == report)
            for body in [nil, "", "{}"] {
                #expect(try await api("POST /v1/cameras/pattern/scan", body: body).status == 200)
            }
            #expect(try await api("POST /v1/cameras/nobody/scan").problem.code == .cameraNotFound)
        }
        let standard = ScanRequest(deadline: .seconds(5))
        #expect(cameras.scans.calls == [ScanRequest(deadline: .milliseconds(1500)), standard, standard, standard])
    }

    @Test func `a scan takes the role of a still`() throws {
        let routes = ControlResponder(.fakes(), logger: .quiet).routes
        let route = try #require(routes.first { $0.endpoint.path == "/v1/cameras/{camera}/scan" })
        #expect(route.endpoint.access == .role(.still))
    }
}
