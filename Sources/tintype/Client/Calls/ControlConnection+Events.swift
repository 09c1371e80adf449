// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
package import TintypeModel

extension ControlConnection {
    /// Has the daemon tell what happens (`GET /v1/events`), and hands each event to `each` in its order.
    ///
    /// `last` is the number of the last event that the caller has, nil where it has none; it is kept up to date, also where
    /// an event was not for this request, or is of a kind that only a newer daemon knows. Goes on until the connection
    /// breaks or `each` falls far behind, which throws ``ClientError``, the task is cancelled, or `each` throws.
    package func events(
        _ wanted: EventRequest,
        after last: inout Int?,
        each: (Event) async throws -> Void
    ) async throws {
        let headers = last.map { [EventRequest.lastIDField: "\($0)"] } ?? [:]
        let request = ControlRequest("GET", "/v1/events", query: wanted.query, headers: headers, deadline: nil)
        // Twice the lines of all the events that a daemon keeps.
        let (lines, feed) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingOldest(65_536))
        async let reply = send(request, since: .now(), lines: feed).checked(for: request)
        var (number, data, isKnown): (Int?, Substring?, Bool) = (nil, nil, true)
        for await line in lines {
            let text = String(decoding: line.dropLast(), as: UTF8.self)
            if let value = text.value(of: "id") { number = Int(value) }
            if let value = text.value(of: "data") { data = value }
            if let value = text.value(of: "event") { isKnown = Event.Kind(rawValue: String(value)) != nil }
            guard text.isEmpty else { continue }
            if isKnown, let json = data { try await each(try request.read(from: Array(json.utf8))) }
            last = number ?? last
            (data, isKnown) = (nil, true)
        }
        _ = try await reply
    }
}

extension String {
    /// What stands behind the name of a field in a line of server-sent events; nil in another line.
    fileprivate func value(of field: String) -> Substring? {
        hasPrefix("\(field): ") ? dropFirst(field.utf8.count + 2) : nil
    }
}
