// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
internal import NIOHTTP1
internal import Testing
internal import TintypeModel

@testable internal import tintype

/// Replies without an end.
struct EventFeedTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

    /// An event as the daemon sends it.
    private static func told(_ id: Int, _ detail: String) throws -> String {
        var event = Event(.healthy, detail)
        event.id = id
        let json = String(decoding: try WireFormat.encode(event), as: UTF8.self)
        return "id: \(id)\nevent: healthy\ndata: \(json)\n\n"
    }

    @Test func `an event of an unknown kind is skipped and advances the last ID`() async throws {
        let newer = "id: 1\nevent: comet-seen\ndata: {\"id\":1,\"kind\":\"comet-seen\"}\n\n"
        let lines = newer + (try Self.told(2, "Two.")) + newer.replacing("id: 1", with: "id: 3")
        try await FakeDaemon.serving(always: .bytes(Self.head + lines)) { daemon in
            try await ControlClient(socket: daemon.socket).withConnection { connection in
                var last: Int?
                var details: [String] = []
                try await connection.events(EventRequest(), after: &last) { details.append($0.detail) }
                #expect(last == 3 && details == ["Two."])
            }
        }
    }

    @Test func `a client that falls behind gets its events, then a closed connection`() async throws {
        let lines = try Self.told(1, "One.") + String(repeating: ":\n", count: 100_000)
        try await FakeDaemon.serving(always: .beginning(Self.head + lines)) { daemon in
            try await ControlClient(socket: daemon.socket).withConnection { connection in
                var last: Int?
                var details: [String] = []
                let error = await #expect(throws: ClientError.self) {
                    try await connection.events(EventRequest(), after: &last) { event in
                        details.append(event.detail)
                        // Queued behind this reply until the connection fails.
                        _ = try? await connection.send(ControlRequest(method: "GET", path: "/", deadline: nil))
                    }
                }
                #expect(error?.kind == .closed)
                #expect(last == 1 && details == ["One."])
            }
        }
    }
}
