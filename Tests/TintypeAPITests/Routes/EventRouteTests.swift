// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore
import TestSupport
import Testing
import TintypeModel

@testable import TintypeAPI

struct EventRouteTests {
    private static func events() -> FakeEvents {
        FakeEvents([
            Event(.cameraState, camera: "yard", "one"), Event(.frameStored, camera: "door", "two"),
            Event(.healthy, "three"), Event(.frameStored, camera: "yard", "four"), Event(.gap, "five"),
        ])
    }

    @Test func `an event is encoded once for all clients, a gap for each`() throws {
        let encoded = Recorder<String>()
        let texts = EventTexts { event in
            encoded.add(event.detail)
            return Array(event.detail.utf8)
        }
        var events = [Event(.healthy, "one"), Event(.frameStored, camera: "yard", "two"), Event(.gap, "three")]
        for index in events.indices { events[index].id = 7 + index }
        for _ in 0..<3 {
            #expect(
                String(buffer: try texts.text(of: events))
                    == "id: 7\nevent: healthy\ndata: one\n\nid: 8\nevent: frame-stored\ndata: two\n\n"
                    + "id: 9\nevent: gap\ndata: three\n\n"
            )
            #expect(String(buffer: try texts.text(of: [events[1]])) == "id: 8\nevent: frame-stored\ndata: two\n\n")
        }
        #expect(encoded.values == ["one", "two", "three", "three", "three"])
    }

    /// The first `count` blocks of the stream; block 0 sets the retry time and the last ID.
    private static func blocks(
        _ count: Int,
        _ target: String = "/v1/events",
        after last: Int? = 0
    ) async throws -> [[String]] {
        var text = ""
        try await withServer(events: events()) { path, _ in
            let client = try await RawClient(path)
            let field = last.map { "Last-Event-ID: \($0)\r\n" } ?? ""
            try await client.send("GET \(target) HTTP/1.0\r\nHost: a\r\n\(field)\r\n")
            var bytes: [UInt8] = []
            while latin(bytes).components(separatedBy: "\n\n").count < count + 1, let more = await client.next() {
                bytes += more
            }
            text = latin(bytes)
        }
        let body = text.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n")
        return body.components(separatedBy: "\n\n").dropLast().map { $0.components(separatedBy: "\n") }
    }

    private static func kinds(_ blocks: [[String]]) -> [String] {
        blocks.dropFirst().map { $0.first { $0.hasPrefix("event: ") } ?? "" }
    }

    @Test func `events after Last-Event-ID are sent with ID, kind and JSON`() async throws {
        let blocks = try await Self.blocks(4, after: 2)
        #expect(blocks[0] == ["retry: 1000", "id: 2"])
        #expect(blocks.dropFirst().map { $0[0] } == ["id: 3", "id: 4", "id: 5"])
        #expect(Self.kinds(blocks) == ["event: healthy", "event: frame-stored", "event: gap"])
        let json = try #require(blocks[2].last)
        #expect(blocks[2].count == 3 && json.hasPrefix("data: "))
        let event = try WireFormat.decode(Event.self, from: Array(json.dropFirst(6).utf8))
        #expect(event.id == 4 && event.camera == "yard" && event.kind == .frameStored && event.detail == "four")
    }

    @Test(
        arguments: [
            ("camera=yard", ["camera-state", "frame-stored", "gap"]),
            ("camera=door,yard", ["camera-state", "frame-stored", "frame-stored", "gap"]),
            ("kind=frame-stored", ["frame-stored", "frame-stored", "gap"]),
            ("kind=healthy,camera-state", ["camera-state", "healthy", "gap"]),
            ("kind=frame-stored&camera=yard", ["frame-stored", "gap"]),
        ]
    )
    func `camera and kind filter all events except gaps`(query: String, kinds: [String]) async throws {
        let blocks = try await Self.blocks(kinds.count + 1, "/v1/events?\(query)")
        #expect(Self.kinds(blocks) == kinds.map { "event: \($0)" })
    }

    @Test(
        arguments: [("after=0", nil, 1), ("after=3&camera=yard", nil, 4), ("after=1", 4, 5)] as [(String, Int?, Int)]
    )
    func `after is used like Last-Event-ID, unless that is sent too`(query: String, last: Int?, first: Int) async throws
    {
        let blocks = try await Self.blocks(2, "/v1/events?\(query)", after: last)
        #expect(blocks[1].first == "id: \(first)")
    }

    @Test(arguments: ["1.0", "1.1"])
    func `a client without Last-Event-ID receives only new events`(version: String) async throws {
        let events = Self.events()
        try await withServer(events: events) { path, _ in
            let client = try await RawClient(path, sending: "GET /v1/events HTTP/\(version)\r\nHost: a\r\n\r\n")
            var text = ""
            for word in ["retry: 1000", "later", "still later"] {
                while !text.contains(word) { text += latin(try #require(await client.next())) }
                events.tell(Event(.healthy, word == "retry: 1000" ? "later" : "still later"))
            }
            #expect(!text.contains("one") && !text.contains("five"))
            #expect(text.lowercased().contains("transfer-encoding: chunked") == (version == "1.1"))
            #expect(text.lowercased().contains("content-type: text/event-stream\r\n"))
        }
    }

    @Test(
        arguments: [
            ("/v1/events?kind=nothing", "", "kind"), ("/v1/events?kind=", "", "kind"),
            ("/v1/events?camera=", "", "camera"), ("/v1/events?from=1", "", "from"),
            ("/v1/events?kind=gap&kind=gap", "", "kind"), ("/v1/events?after=-1", "", "after"),
            ("/v1/events?after=soon", "", "after"), ("/v1/events", "-1", "Last-Event-ID"),
            ("/v1/events", "soon", "Last-Event-ID"), ("/v1/events", "99999999999999999999", "Last-Event-ID"),
        ]
    )
    func `an invalid parameter or Last-Event-ID is refused by name`(target: String, last: String, field: String)
        async throws
    {
        for transport in Transport.allCases {
            try await withAPI(transport) { api in
                let headers = last.isEmpty ? [:] : ["Last-Event-ID": last]
                let reply = try await api("GET \(target)", headers: headers)
                #expect(reply.status == 400)
                #expect(try reply.problem.field == field)
            }
        }
    }

    @Test func `HEAD of the event stream ends without a body`() async throws {
        try await withAPI(.socket) { api in
            let reply = try await api("HEAD /v1/events")
            #expect(reply.status == 200 && reply.headers["content-type"] == "text/event-stream" && reply.body.isEmpty)
        }
    }
}

private func latin(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
