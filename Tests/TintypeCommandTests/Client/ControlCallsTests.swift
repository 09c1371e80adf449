// SPDX-License-Identifier: Apache-2.0
internal import NIOHTTP1
internal import Testing
internal import TintypeModel

@testable internal import tintype

struct ControlCallsTests {
    private func calling<Result>(
        _ reply: FakeDaemon.Reply,
        _ call: (ControlClient) async throws -> Result
    ) async throws -> (Result, FakeDaemon.Request) {
        try await FakeDaemon.serving(always: reply) { daemon in
            let result = try await call(ControlClient(socket: daemon.socket))
            return (result, try #require(daemon.log.requests.first))
        }
    }

    @Test func `each still of a burst is delivered before the reply ends`() async throws {
        struct Enough: Error {}
        let missed = StillList(stills: [], missed: [MissedStill(index: 1, Sample.problem)])
        let reply = try FakeDaemon.Reply.lines(StillList(stills: [Sample.record]), missed)
        try await FakeDaemon.serving(always: reply) { daemon in
            try await ControlClient(socket: daemon.socket).withConnection { (connection) -> Void in
                // The reply never ends: only the delivered still ends the call.
                await #expect(throws: Enough.self) {
                    _ = try await connection.stills(StillRequest(burst: .count(2, every: .zero)), of: "front") {
                        still in
                        #expect(still == Sample.record)
                        throw Enough()
                    }
                }
            }
            let request = try #require(daemon.log.requests.first)
            #expect(request.method == "POST" && request.target == "/v1/cameras/front/stills")
            #expect(request.headers.first(name: "Accept") == StillList.linesMediaType)
        }
    }

    @Test func `a problem with an unknown code keeps its detail and remedy`() async throws {
        let json = #"{"type":"urn:tintype:problem:comet","code":"comet","detail":"A comet passed.","remedy":"Wait."}"#
        let expected = ClientError(.unexpected, "A comet passed.", remedy: "Wait.")
        await #expect(throws: expected) {
            try await calling(.http(409, ["Content-Type": Problem.mediaType], Array(json.utf8))) {
                try await $0.cameras()
            }
        }
        let line = FakeDaemon.Reply.http(200, [:], Array("\(json)\n".utf8))
        try await FakeDaemon.serving(always: line) { daemon in
            try await ControlClient(socket: daemon.socket).withConnection { (connection) -> Void in
                await #expect(throws: expected) {
                    _ = try await connection.stills(StillRequest(), of: "front") { _ in }
                }
            }
        }
    }

    @Test func `a burst returns its missed stills, in lines or as one list`() async throws {
        func told(_ reply: FakeDaemon.Reply) async throws -> StillList {
            try await FakeDaemon.serving(always: reply) { daemon in
                try await ControlClient(socket: daemon.socket).withConnection { connection in
                    var list = StillList(stills: [])
                    list.missed = try await connection.stills(StillRequest(), of: "front") { list.stills.append($0) }
                    return list
                }
            }
        }
        let missed = [MissedStill(index: 1, Sample.problem)]
        let whole = StillList(stills: [Sample.record], missed: missed)
        #expect(try await told(.json(whole, status: 201)) == whole)
        let lines = try [StillList(stills: [Sample.record]), StillList(stills: [], missed: missed)].map {
            try WireFormat.encode($0) + [UInt8(ascii: "\n")]
        }
        #expect(try await told(.http(200, [:], lines.flatMap(\.self))) == whole)
        let problem = try WireFormat.encode(Sample.problem) + [UInt8(ascii: "\n")]
        await #expect(throws: Sample.problem) { try await told(.http(200, [:], problem)) }
        await #expect(throws: Sample.problem) { try await told(.problem(Sample.problem)) }
        // A truncated reply is an error even after a delivered still.
        let cut = FakeDaemon.Reply.bytes(
            "HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n" + String(decoding: lines[0], as: UTF8.self)
        )
        await #expect(throws: ClientError.self) { try await told(cut) }
    }

    @Test func `a configuration is sent with If-Match only for a given revision`() async throws {
        let report = ConfigurationReport(camera: "front", revision: 4, configuration: CameraSettings())
        for (revision, match) in [(3, "\"3\""), (nil, nil)] {
            let (_, put) = try await calling(.json(report)) {
                try await $0.configure(CameraSettings(), of: "front", ifRevision: revision)
            }
            #expect(put.headers.first(name: "If-Match") == match)
        }
    }

    @Test func `a picture is requested by query and its record read from the header`() async throws {
        let request = StillRequest(
            fresh: .next,
            deadline: .seconds(600),
            rendering: ImageOptions(quality: 70),
            keep: false
        )
        let (picture, sent) = try await calling(.http(200, Sample.pictureHeaders, Sample.jpeg)) {
            try await $0.picture(of: "front", request)
        }
        #expect(sent.target == "/v1/cameras/front/still.jpg?fresh=next&deadlineMs=600000&quality=70")
        #expect(picture.picture == Sample.jpeg)
        #expect(picture.record.id == Sample.record.id)
        #expect(picture.record.ageMs == Milliseconds(.microseconds(12_500)))
        #expect(picture.record.stored == .no)
        #expect(picture.record.path == nil)
        #expect(picture.record.bytes == 4)
    }

    @Test(arguments: Sample.pictureHeaders.keys.filter { $0.hasPrefix("Tintype-") && !$0.hasSuffix("-Ms") })
    func `a picture without its record is refused`(_ missing: String) async throws {
        let headers = Sample.pictureHeaders.filter { $0.key != missing }
        let error = await #expect(throws: ClientError.self) {
            try await calling(.http(200, headers, Sample.jpeg)) { try await $0.picture(of: "front", StillRequest()) }
        }
        #expect(error?.kind == .unexpected)
    }

    @Test func `a problem document is thrown as a problem, even for the health`() async throws {
        await #expect(throws: Sample.problem) {
            try await calling(.problem(Sample.problem)) { try await $0.cameras() }
        }
        // The same status as a failing health.
        let stopping = Problem(.stopping, "The configuration of tintyped is wrong.", remedy: "Correct it.")
        await #expect(throws: stopping) { try await calling(.problem(stopping)) { try await $0.health() } }
    }

    @Test func `an unusable reply is reported as unexpected with its path`() async throws {
        for reply in [
            FakeDaemon.Reply.http(502, ["Content-Type": "text/html"], Array("<h1>no</h1>".utf8)),
            .http(503, ["Content-Type": Problem.mediaType], Array(#"{"code":"from-the-future"}"#.utf8)),
            .http(200, [:], Array("{}".utf8)),
        ] {
            let error = await #expect(throws: ClientError.self) { try await calling(reply) { try await $0.cameras() } }
            #expect(error?.kind == .unexpected)
            #expect(error?.detail.contains("/v1/cameras") == true)
        }
    }
}
