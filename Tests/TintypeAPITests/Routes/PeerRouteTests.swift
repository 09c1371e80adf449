// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import TintypeModel
import TintypeSystem

@testable import TintypeAPI

struct PeerRouteTests {
    private static var one: FakeCameras { FakeCameras(all: [Samples.status]) }

    @Test(
        arguments: [
            ("/snapshot", .auto), ("/?action=snapshot", .auto), ("/?action=snapshot&1732543200", .auto),
            ("/snapshot?cacheBust=1", .auto), ("/?action=snapshot?dummy=param.jpg", .auto),
            ("/?action=snapshot_0&settle=never", .never), ("/?action=snapshot_", .auto),
            ("/snapshot?settle=always", .always),
        ] as [(String, SettlePolicy)]
    )
    func `a snapshot is a fresh still of the only camera that settles for 1.5 s at most`(
        target: String,
        settle: SettlePolicy
    ) async throws {
        var wanted = StillRequest(settle: settle, keep: false)
        wanted.longestSettling = .milliseconds(1500)
        let cameras = FakeCameras(
            all: [Samples.status],
            take: { [wanted] (request, camera) throws(Problem) in
                #expect(request == wanted && camera == "pattern")
                return Samples.still()
            }
        )
        try await withAPI(.router, cameras: cameras) { api in
            let reply = try await api("GET \(target)")
            #expect(reply.status == 200 && reply.headers["content-type"] == "image/jpeg")
            #expect(reply.body == Samples.still().picture)
        }
    }

    @Test(arguments: [
        ("/snapshot?camera=idle", "idle"), ("/?action=snapshot&camera=pattern", "pattern"),
        ("/?action=snapshot_0", "pattern"), ("/?action=snapshot_1", "idle"),
    ])
    func `a camera is selected by name or by mjpg-streamer number`(target: String, camera: String) async throws {
        let cameras = FakeCameras(take: { (_, asked) throws(Problem) in
            #expect(asked == camera)
            return Samples.still()
        })
        try await withAPI(.router, cameras: cameras) { api in
            let reply = try await api("GET \(target)")
            #expect(reply.status == 200)
        }
    }

    @Test(arguments: [
        ("/snapshot", 409), ("/stream", 409), ("/state", 409), ("/?action=stream", 409), ("/?action=stream_", 409),
        ("/?action=snapshot_7", 404),
        ("/?action=snapshot_x", 404), ("/snapshot?camera=none", 404), ("/?action=command", 404),
        ("/snapshot?camera=pattern&settle=soon", 400), ("/?action=stream&camera=pattern&settle=1", 400),
    ])
    func `an ambiguous or unknown camera or policy is refused with a remedy`(target: String, status: Int) async throws {
        try await withAPI(.router) { api in
            let reply = try await api("GET \(target)")
            #expect(reply.status == status)
            #expect(try !reply.problem.remedy.isEmpty)
        }
    }

    @Test(arguments: [
        "/stream", "/?action=stream", "/?action=stream?dummy=param.mjpg", "/?action=stream_0?1",
        "/?action=stream_", "/?action=stream_&1732543200", "/stream?advance_headers=1",
    ])
    func `a stream without a camera name shows the only camera`(target: String) async throws {
        try await withAPI(.router, cameras: Self.one) { api in
            let reply = try await api("GET \(target)")
            #expect(reply.status == 200)
            #expect(reply.headers["content-type"] == PicturePart.mediaType)
            let isAdvancing = target.hasSuffix("=1")
            let begin = Array((PicturePart.start + PicturePart.bareHeader).utf8)
            #expect(reply.body.starts(with: begin) == isAdvancing)
        }
    }

    @Test(arguments: [
        "/?action=snapshot&", "/?action=stream&", "/?action=stream?dummy=param.mjpg&", "/snapshot?", "/stream?",
        "/state?",
    ])
    func `the paths of other programs take a token in the query`(target: String) async throws {
        let token = "tt_0123456789"
        let rule = AccessRule(
            .token(sha256: SHA256.text(Array(token.utf8)), name: "viewer"),
            .role(.view, cameras: ["pattern"])
        )
        let policy = AccessPolicy(AccessRules([rule]))
        let responder = ControlResponder(.fakes(access: policy), logger: .quiet)
        for (sent, status) in [("token=\(token)", 200), ("token=tt_other", 401), ("camera=pattern", 401)] {
            let reply = try await ask(responder, "GET \(target)\(sent)", [:], from: .address("192.0.2.1"))
            #expect(reply.status == status, "\(reply.text)")
        }
    }

    @Test(arguments: ["/?action=command", "/?action=command&id=9963776&value=128", "/?action=command_0?x=1"])
    func `a command of mjpg-streamer is refused with the way to set controls`(target: String) async throws {
        try await withAPI(.router, cameras: Self.one) { api in
            let problem = try await api("GET \(target)").problem
            #expect(problem.code == .notFound && problem.remedy.contains("PATCH"))
        }
    }

    @Test func `the state has the fields that ustreamer clients read`() async throws {
        try await withAPI(.router, cameras: Self.one) { api in
            let reply = try await api("GET /state")
            let object = try JSONSerialization.jsonObject(with: Data(reply.body)) as? [String: Any]
            #expect(object?["ok"] as? Bool == true)
            let result = try #require(object?["result"] as? [String: Any])
            let source = try #require(result["source"] as? [String: Any])
            let resolution = try #require(source["resolution"] as? [String: Int])
            let size = try #require(Samples.status.format?.size)
            #expect(resolution == ["width": size.width, "height": size.height])
            #expect(source["online"] as? Bool == false)
            #expect(source["captured_fps"] as? Int == 0 && source["desired_fps"] is Int)
            let stream = try #require(result["stream"] as? [String: Any])
            #expect(stream["clients"] as? Int == 1 && stream["queued_fps"] as? Int == 13)
            let clients = try #require(stream["clients_stat"] as? [String: [String: Any]])
            #expect(clients["3"]?["fps"] as? Int == 13)
            let encoder = try #require(result["encoder"] as? [String: Any])
            #expect(encoder["quality"] as? Int == 75)
        }
    }
}
