// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel
import TintypeSystem

@testable import TintypeAPI

/// Pictures of several cameras in one reply.
struct CombinedStreamTests {
    private static let off = Problem(.cameraOff, "It is off.", remedy: "Leave out open=false.")
    private static let late = Problem(.deadlineExceeded, "No picture came for 3 s.", remedy: "Wait.")
    private static let gone = Problem(.deviceLost, "It is gone.", remedy: "Plug it in.")

    private static func get(_ query: String, _ token: String? = nil) -> String {
        let field = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        return "GET /v1/stream.mjpg\(query) HTTP/1.1\r\nHost: a\r\n\(field)\r\n"
    }

    private static func policy(_ token: String, _ role: Role, _ cameras: [String]? = nil) -> AccessPolicy {
        let subject = AccessRule.Subject.token(sha256: SHA256.text(Array(token.utf8)), name: "page")
        return AccessPolicy(AccessRules([AccessRule(subject, .role(role, cameras: cameras))]))
    }

    /// A picture whose bytes are the name of the camera.
    private static func picture(of camera: String) -> StreamedPicture {
        var picture = Samples.streamed
        picture.jpeg = Array(camera.utf8)
        return picture
    }

    @Test(arguments: ["", "?camera=pattern,idle,pattern", "?camera=idle,pattern&width=320&rate=5&integrity=raw"])
    func `each part names its camera`(query: String) async throws {
        let cameras = FakeCameras(watch: { request, camera, _ in
            #expect(!request.picture.opens && !request.placeholder)
            #expect(request.rate == (query.contains("rate") ? 5 : nil))
            return Self.picture(of: camera)
        })
        try await withServer(cameras: cameras) { path, _ in
            let parts = Parts(try await RawClient(path, sending: Self.get(query)))
            var seen: Set<String> = []
            while seen.count < 2 {
                let part = try #require(await parts.next())
                let camera = try #require(part.fields["Tintype-Camera"])
                #expect(part.body == Array(camera.utf8))
                #expect(part.fields["Content-Type"] == "image/jpeg" && part.fields["Tintype-Age-Ms"] == "12.5")
                seen.insert(camera)
            }
            #expect(seen == ["idle", "pattern"])
            #expect(parts.head.lowercased().contains("content-type: multipart/x-mixed-replace; boundary="))
            try await parts.client.close()
        }
    }

    @Test func `a camera without a picture has one part for each reason, and pictures once it runs`() async throws {
        let replies = Recorder<Result<StreamedPicture, Problem>>()
        let asked = Recorder<Int>()
        let cameras = FakeCameras(watch: { (_, _, number) throws(Problem) in
            asked.add(number)
            return try replies.values[min(asked.values.count, replies.values.count) - 1].get()
        })
        // The same reason with another number.
        let later = Problem(.deadlineExceeded, "No picture came for 5 s.", remedy: "Wait.", retryAfter: .seconds(1))
        replies.add([.failure(Self.late), .failure(later), .failure(Self.gone), .success(Self.picture(of: "idle"))])
        let events = FakeEvents()
        try await withServer(cameras: cameras, events: events) { path, _ in
            let parts = Parts(try await RawClient(path, sending: Self.get("?camera=idle")))
            for (count, problem) in [(1, Self.late), (3, Self.gone)] {
                let part = try #require(await parts.next())
                #expect(part.fields["Content-Type"] == "application/problem+json")
                #expect(part.fields["Tintype-Camera"] == "idle")
                #expect(try WireFormat.decode(Problem.self, from: part.body) == problem)
                #expect(asked.values.count == count)
                // The first event is that of a state with the same reason.
                for next in count + 1...max(count + 1, 3) {
                    events.tell(.state(.failed(reason: Self.gone), of: "idle"))
                    try await eventually("attempt \(next)") { asked.values.count >= next }
                }
            }
            let part = try #require(await parts.next())
            #expect(part.body == Array("idle".utf8))
            try await parts.client.close()
        }
    }

    @Test func `only a client with the role still has cameras opened, and only those of open`() async throws {
        for (role, query, opens, code) in [
            (Role.still, "?camera=idle", false, ProblemCode.cameraOff), (.still, "?open=idle", true, .deviceLost),
            (.still, "?camera=idle&open=idle", true, .deviceLost),
            (.view, "?camera=idle&open=idle", false, .accessDenied), (.view, "?camera=idle", false, .cameraOff),
        ] {
            let cameras = FakeCameras(watch: { (request, camera, _) throws(Problem) in
                guard camera == "idle" else { return Self.picture(of: camera) }
                #expect(request.picture.opens == opens)
                throw opens ? Self.gone : Self.off
            })
            try await withServer(cameras: cameras, access: Self.policy("tt_page", role)) { path, _ in
                let parts = Parts(try await RawClient(path, sending: Self.get(query, "tt_page")))
                var part = try #require(await parts.next())
                while part.fields["Tintype-Camera"] != "idle" { part = try #require(await parts.next()) }
                let problem = try WireFormat.decode(Problem.self, from: part.body)
                #expect(problem.code == code && !problem.remedy.contains("open=false"), "\(role) \(query)")
                try await parts.client.close()
            }
        }
    }

    @Test func `a camera that is stopped is not opened again`() async throws {
        let asked = Recorder<Bool>()
        let cameras = FakeCameras(watch: { (request, _, _) throws(Problem) in
            asked.add(request.picture.opens)
            throw request.picture.opens ? Problem(.stopping, "It was stopped.", remedy: "Ask again.") : Self.off
        })
        let events = FakeEvents()
        try await withServer(cameras: cameras, events: events) { path, _ in
            let parts = Parts(try await RawClient(path, sending: Self.get("?camera=idle&open=idle")))
            for code in [ProblemCode.stopping, .cameraOff] {
                let part = try #require(await parts.next())
                #expect(try WireFormat.decode(Problem.self, from: part.body).code == code)
                events.tell(.state(.off, of: "idle"))
            }
            #expect(asked.values.prefix(2) == [true, false])
            try await parts.client.close()
        }
    }

    @Test func `a camera that is stopped between two attempts is not opened again`() async throws {
        let asked = Recorder<Bool>()
        let cameras = FakeCameras(watch: { (request, _, _) throws(Problem) in
            asked.add(request.picture.opens)
            throw request.picture.opens ? Self.gone : Self.off
        })
        let events = FakeEvents()
        try await withServer(cameras: cameras, events: events) { path, _ in
            let parts = Parts(try await RawClient(path, sending: Self.get("?camera=idle&open=idle")))
            for code in [ProblemCode.deviceLost, .cameraOff] {
                let part = try #require(await parts.next())
                #expect(try WireFormat.decode(Problem.self, from: part.body).code == code)
                _ = try? await cameras.stop("idle")
                events.tell(.state(.running, of: "idle"))
            }
            #expect(asked.values.prefix(2) == [true, false])
            try await parts.client.close()
        }
    }

    @Test(arguments: [
        ("?camera=pattern,none", 404, "camera", "“none”"), ("?camera=pattern,idle", 404, "camera", "“idle”"),
        ("?open=idle", 404, "open", "“idle”"), ("?camera=pattern&open=idle", 400, "open", "“idle”"),
        ("?camera=", 400, "camera", "camera"), ("?placeholder=true", 400, "placeholder", "placeholder"),
        ("?width=0", 400, "width", "width"),
    ])
    func `unknown and foreign cameras and parameters are refused before the reply begins`(
        query: String,
        status: Int,
        field: String,
        word: String
    ) async throws {
        try await withServer(access: Self.policy("tt_page", .view, ["pattern"])) { path, _ in
            let client = try await RawClient(path, sending: Self.get(query, "tt_page"))
            let reply = try #require(await client.reply())
            #expect(reply.status == status)
            #expect(try reply.problem.field == field && reply.problem.detail.contains(word), "\(reply.text)")
        }
    }

    @Test(arguments: [true, false])
    func `the reply ends when the access rules change, with and without pictures`(hasPictures: Bool) async throws {
        let (policy, events) = (Self.policy("tt_page", .view), FakeEvents())
        let cameras = FakeCameras(watch: { (_, camera, _) throws(Problem) in
            if hasPictures { return Self.picture(of: camera) }
            throw Self.off
        })
        try await withServer(cameras: cameras, events: events, access: policy) { path, _ in
            let parts = Parts(try await RawClient(path, sending: Self.get("?camera=pattern", "tt_page")))
            _ = try #require(await parts.next())
            policy.replaceRules(with: AccessRules([]))
            // As the journal does every few seconds.
            events.tell(Event(.healthy, ""))
            while await parts.next() != nil {}
            try await parts.client.closed()
        }
    }

    @Test func `a camera that waits for a picture does not hold up the others`() async throws {
        let never = Gate()
        let cameras = FakeCameras(watch: { _, camera, _ in
            if camera == "idle" { await never.wait() }
            return Self.picture(of: camera)
        })
        try await withServer(cameras: cameras) { path, _ in
            let parts = Parts(try await RawClient(path, sending: Self.get("")))
            for _ in 0..<100 {
                #expect(try #require(await parts.next()).fields["Tintype-Camera"] == "pattern")
            }
            try await parts.client.close()
        }
    }

    /// A client whose reading takes a second for each part.
    @Test func `a slow client gets the newest picture of each camera in turn`() async throws {
        let asked = Counter()
        let names = (1...9).map { "camera\($0)" }
        var cameras = FakeCameras(watch: { _, _, _ in
            _ = asked.next()
            var picture = Samples.streamed
            picture.jpeg = [UInt8](repeating: 7, count: 400_000)
            return picture
        })
        cameras.all = names.map { CameraStatus(name: $0, identity: nil, authorization: .authorized, state: .off) }
        try await withServer(cameras: cameras, clock: SteppingClock()) { path, _ in
            let client = try await RawClient(path, sending: Self.get(""), reads: false)
            let parts = Parts(client, reads: false)
            var seen: [String: Int] = [:]
            for _ in 0..<5 * names.count {
                seen[try #require(await parts.next()?.fields["Tintype-Camera"]), default: 0] += 1
            }
            #expect(seen.count == names.count && seen.values.allSatisfy { $0 >= 3 }, "\(seen)")
            // Keeps the server busy until it has sent all that it can.
            let other = try await RawClient(path)
            for _ in 0..<200 {
                #expect(await other.get()?.status == 200)
            }
            // One in the socket, one that is being written, and two that wait; not one of each camera.
            #expect(asked.next() - 5 * names.count <= 7)
            try await client.close()
        }
    }
}

/// Advances by a second at each look.
private final class SteppingClock: MonotonicClock {
    private let looks = Counter()
    private let start = SystemClock.system.now

    var now: MonotonicTime { start + .seconds(looks.next()) }
    var wall: Timestamp { SystemClock.system.wall }
    var minimumResolution: Duration { .nanoseconds(1) }
    func suspended() -> Duration { .zero }
    func timer() throws(ResourceError) -> any ThreadTimer { try SystemClock.system.timer() }
    func cancelAlarm(_ id: UInt64) { SystemClock.system.cancelAlarm(id) }

    func setAlarm(_ moment: MonotonicTime, _ ring: @escaping @Sendable () -> Void) -> UInt64 {
        SystemClock.system.setAlarm(moment, ring)
    }
}

/// Reads the parts of a multipart reply by their Content-Length.
private final class Parts {
    let client: RawClient
    private let reads: Bool
    private(set) var head = ""
    private var bytes: [UInt8] = []

    /// For a client made without `reads`, reads from the socket only what is needed.
    init(_ client: RawClient, reads: Bool = true) { (self.client, self.reads) = (client, reads) }

    func next() async -> (fields: [String: String], body: [UInt8])? {
        if head.isEmpty {
            guard let text = await line(until: "\r\n\r\n"), await line(until: "--tintype-picture\r\n") != nil else {
                return nil
            }
            head = text
        }
        guard let header = await line(until: "\r\n\r\n") else { return nil }
        var fields: [String: String] = [:]
        for line in header.split(separator: "\r\n") {
            let colon = line.firstIndex(of: ":") ?? line.startIndex
            fields[String(line[..<colon])] = String(line[colon...].dropFirst(2))
        }
        let length = Int(fields["Content-Length"] ?? "") ?? 0
        while bytes.count < length { guard await receive() else { return nil } }
        let body = Array(bytes.prefix(length))
        bytes.removeFirst(length)
        guard await line(until: "\r\n--tintype-picture\r\n") == "" else { return nil }
        return (fields, body)
    }

    private func receive() async -> Bool {
        guard let more = reads ? await client.next() : await client.read() else { return false }
        bytes += more
        return true
    }

    /// Text before `end`, which is removed too.
    private func line(until end: String) async -> String? {
        let end = Array(end.utf8)
        while true {
            if let found = bytes.firstRange(of: end) {
                let text = String(decoding: bytes[..<found.lowerBound], as: UTF8.self)
                bytes.removeFirst(found.upperBound)
                return text
            }
            guard await receive() else { return nil }
        }
    }
}
