// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import TintypeModel
internal import TintypeSystem

extension Response {
    /// Events after `last`, selected by `isSelected`, each written once the client has read the previous ones.
    ///
    /// Ends when `isCurrent` returns false. `clock` times the keep-alive messages.
    init(
        events service: any EventService,
        after last: Int?,
        by clock: any MonotonicClock,
        while isCurrent: @escaping @Sendable () -> Bool,
        selecting isSelected: @escaping @Sendable (Event) -> Bool
    ) {
        // Read now, to include events before the first write.
        let first = last ?? service.newest
        let body = ResponseBody { writer in
            var place = first
            var lastWrite = clock.now
            try await writer.write(EventText.opening(after: place))
            for await _ in service.signals() {
                guard isCurrent() else { break }
                while isCurrent() {
                    let events = service.events(after: place)
                    guard let end = events.last?.id else { break }
                    place = end
                    let text = try EventText.events(events.filter(isSelected))
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
        // nginx buffers replies unless told otherwise.
        var headers = HTTPFields.uncached(EventRequest.mediaType)
        headers[.known("X-Accel-Buffering")] = "no"
        self.init(status: .ok, headers: headers, body: body)
    }
}

/// Server-sent events on the wire (HTML Living Standard, 9.2.5).
enum EventText {
    /// Maximum silence before a keep-alive message is sent.
    static let pause = Duration.seconds(10)
    /// Reconnection delay for clients, in milliseconds.
    private static let retry = 1000

    /// First message; sets the id from which a client resumes if it disconnects before its first event.
    static func opening(after number: Int) -> ByteBuffer { ByteBuffer(string: "retry: \(retry)\nid: \(number)\n\n") }

    /// Advances the client's id without an event, past events that were filtered out.
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
