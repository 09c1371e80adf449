// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct WarmthRouteTests {
    @Test(arguments: Transport.allCases)
    func `start, stop and tolerance reset reply with the camera's status`(transport: Transport) async throws {
        try await withAPI(transport) { api in
            for verb in ["start", "stop", "tolerance/reset"] {
                let reply = try await api("POST /v1/cameras/pattern/\(verb)")
                #expect(reply.status == 200)
                #expect(reply.headers["cache-control"] == "no-store")
                #expect(try reply.value(CameraStatus.self) == Samples.status)
                #expect(try await api("POST /v1/cameras/nobody/\(verb)").problem.code == .cameraNotFound)
                #expect(try await api("GET /v1/cameras/pattern/\(verb)").status == 405)
            }
        }
    }

    @Test(arguments: Transport.allCases)
    func `a hold for an owner and a duration replies with the lease`(transport: Transport) async throws {
        let cameras = FakeCameras()
        try await withAPI(transport, cameras: cameras) { api in
            let reply = try await api("POST /v1/cameras/pattern/hold", body: #"{"owner":"ann","forMs":600000}"#)
            #expect(reply.status == 200)
            let lease = try reply.value(CameraHold.self)
            #expect(lease == CameraHold(owner: "ann", until: Samples.until))
            #expect(try await api("POST /v1/cameras/nobody/hold", body: #"{"owner":"ann","forMs":1}"#).status == 404)
        }
        #expect(cameras.holds.calls == [HoldRequest(owner: "ann", duration: .seconds(600))])
    }

    @Test(arguments: ["motion", "codes", "publish", "publish-2", "trigger"])
    func `a hold under a reserved owner name is refused`(owner: String) async throws {
        let cameras = FakeCameras()
        try await withAPI(.router, cameras: cameras) { api in
            let reply = try await api("POST /v1/cameras/pattern/hold", body: #"{"owner":"\#(owner)","forMs":1000}"#)
            #expect(reply.status == 400)
            let problem = try reply.problem
            #expect(problem.code == .invalidRequest && problem.field == "owner")
            #expect(problem.remedy.contains("--owner"))
        }
        #expect(cameras.holds.calls.isEmpty)
    }

    @Test(arguments: Transport.allCases)
    func `a release replies with the remaining holds`(transport: Transport) async throws {
        try await withAPI(transport) { api in
            let one = try await api("POST /v1/cameras/pattern/release", body: #"{"owner":"ann"}"#)
            #expect(one.status == 200)
            #expect(try one.value(HoldList.self).holds.map(\.owner) == ["bob"])
            for body in [nil, "{}"] {
                let all = try await api("POST /v1/cameras/pattern/release", body: body)
                #expect(try all.value(HoldList.self).holds.isEmpty)
            }
            let wrong = try await api("POST /v1/cameras/pattern/release", body: #"{"owner":7}"#)
            #expect(wrong.status == 400)
        }
    }
}
