// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import TintypeModel
internal import TintypeSystem

extension Response {
    /// Events as they come, each that `takes` lets through sent when the client has taken those before; it ends when
    /// `isCurrent` does not hold any more.
    ///
    /// `clock` says when nothing has been sent for long.
    init(
        events service: any EventService,
        after last: Int?,
        by clock: any MonotonicClock,
        while isCurrent: @escaping @Sendable () -> Bool,
        taking takes: @escaping @Sendable (Event) -> Bool
    ) {
        // Now: what happens before the first write is told, too.
        let first = last ?? service.newest
        let body = ResponseBody { writer in
            var place = first
            var lastWrite = clock.now
            try await writer.write(EventText.begin(after: place))
            for await _ in service.signals() {
                guard isCurrent() else { break }
                while isCurrent() {
                    let events = service.events(after: place)
                    guard let end = events.last?.id else { break }
                    place = end
                    let text = try EventText.events(events.filter(takes))
                    guard text.readableBytes > 0 else { continue }
                    try await writer.write(text)
                    lastWrite = clock.now
                }
                if clock.now - lastWrite >= EventText.pause {
                    try await writer.write(EventText.place(place))
                    lastWrite = clock.now
                }
            }
            try await writer.finish(nil)
        }
        // nginx keeps replies back until it has a lot of them, unless it is told not to.
        var headers = HTTPFields.uncached(EventRequest.mediaType)
        headers[.known("X-Accel-Buffering")] = "no"
        self.init(status: .ok, headers: headers, body: body)
    }
}

/// Server-sent events on the wire (HTML Living Standard, 9.2.5).
enum EventText {
    /// For so long nothing is sent at most.
    static let pause = Duration.seconds(10)
    /// After this time a client is to connect again that has lost its connection.
    private static let retry = 1000

    /// What comes first: the number after which the client goes on that is cut off before its first event.
    static func begin(after number: Int) -> ByteBuffer { ByteBuffer(string: "retry: \(retry)\nid: \(number)\n\n") }

    /// No event, only how far the client is: some were not for it.
    static func place(_ number: Int) -> ByteBuffer { ByteBuffer(string: "id: \(number)\n\n") }

    static func events(_ events: [Event]) throws -> ByteBuffer {
        var text = ByteBuffer()
        for event in events {
            text.writeString("id: \(event.id)\nevent: \(event.kind.rawValue)\ndata: ")
            text.writeBytes(try WireFormat.encode(event))
            text.writeString("\n\n")
        }
        return text
    }
}
