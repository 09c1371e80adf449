// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

extension Response {
    /// Maximum silence before a keep-alive message is sent.
    private static let longestSilence = Duration.seconds(10)

    /// Server-sent events (HTML Living Standard, 9.2.5) after `last` that `isSelected` accepts.
    ///
    /// Each is written once the client has read the previous ones. Ends when `isCurrent` returns false. `clock` times
    /// the keep-alive messages.
    init(
        events service: any EventService,
        as texts: EventTexts,
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
            // With the id from which a client resumes if it disconnects before its first event.
            try await writer.write(ByteBuffer(string: "retry: 1000\nid: \(place)\n\n"))
            for await _ in service.signals() {
                guard isCurrent() else { break }
                while isCurrent() {
                    let events = service.events(after: place)
                    guard let end = events.last?.id else { break }
                    place = end
                    let text = try texts.text(of: events.filter(isSelected))
                    guard text.readableBytes > 0 else { continue }
                    try await writer.write(text)
                    lastWrite = clock.now
                }
                if clock.now - lastWrite >= Self.longestSilence {
                    // Advances the client's id past events that were filtered out.
                    try await writer.write(ByteBuffer(string: "id: \(place)\n\n"))
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

/// Encoded events, shared by all clients because encoding for each would take most of the processor; any thread.
final class EventTexts: Sendable {
    private static let capacity = 512

    private let texts = Mutex<[Int: ByteBuffer]>([:])
    private let encode: @Sendable (Event) throws -> [UInt8]

    init(encode: @escaping @Sendable (Event) throws -> [UInt8] = { try WireFormat.encode($0) }) { self.encode = encode }

    func text(of events: [Event]) throws -> ByteBuffer {
        if events.count == 1 { return try text(of: events[0]) }
        var all = ByteBuffer()
        for event in events { all.writeImmutableBuffer(try text(of: event)) }
        return all
    }

    private func text(of event: Event) throws -> ByteBuffer {
        // A gap has the number of an event that some clients have got.
        let isShared = event.kind != .gap
        if isShared, let known = texts.withLock({ $0[event.id] }) { return known }
        var text = ByteBuffer(string: "id: \(event.id)\nevent: \(event.kind.rawValue)\ndata: ")
        text.writeBytes(try encode(event))
        text.writeString("\n\n")
        guard isShared else { return text }
        texts.withLock { [text] texts in
            if texts.count >= Self.capacity { texts.removeAll(keepingCapacity: true) }
            texts[event.id] = text
        }
        return text
    }
}
