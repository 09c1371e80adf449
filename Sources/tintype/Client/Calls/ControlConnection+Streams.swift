// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
package import TintypeModel

extension ControlConnection {
    /// Streams events (`GET /v1/events`) to `each`, in order.
    ///
    /// `last` is the number of the last event that the caller has, or nil. It is updated, also past events that were
    /// filtered out or whose kind this version does not know. Runs until the task is cancelled or `each` throws. Throws
    /// ``ClientError`` if the connection breaks or `each` falls too far behind.
    package func events(
        _ wanted: EventRequest,
        after last: inout Int?,
        each: (Event) async throws -> Void
    ) async throws {
        let headers = last.map { [EventRequest.lastIDField: "\($0)"] } ?? [:]
        let request = ControlRequest("GET", "/v1/events", query: wanted.query, headers: headers, deadline: nil)
        // Twice the number of lines of all events that a daemon keeps.
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

    /// Passes the orders to the worker (`POST /v1/work`) to `each`; returns when the daemon ends the reply.
    package func orders(each: (WorkOrder) async throws -> Void) async throws {
        let request = ControlRequest("POST", "/v1/work", headers: ["Accept": WorkOrder.mediaType], deadline: nil)
        let (lines, feed) = AsyncStream.makeStream(of: [UInt8].self)
        async let reply = send(request, since: .now(), lines: feed).checked(for: request)
        for await line in lines { try await each(try request.read(from: line)) }
        _ = try await reply
    }

    /// Takes a burst, passes each durable still to `each`, whose error ends it, and returns the missed stills, or nil.
    package func stills(
        _ stills: StillRequest,
        of camera: String,
        each: (StillRecord) async throws -> Void
    ) async throws -> [MissedStill]? {
        let request = try Self.request(stills, of: camera, accept: StillList.linesMediaType)
        let (lines, feed) = AsyncStream.makeStream(of: [UInt8].self)
        async let reply = send(request, since: .now(), lines: feed).checked(for: request)
        var missed: [MissedStill]?
        /// A line is a list, or the problem of the first still.
        func deliver(_ line: [UInt8]) async throws {
            if let failure = ControlResponse.failure(in: line) { throw failure }
            let list: StillList = try request.read(from: line)
            for still in list.stills { try await each(still) }
            missed = list.missed
        }
        for await line in lines { try await deliver(line) }
        // A daemon without support for lines replies with one list.
        let rest = try await reply.body
        if !rest.isEmpty { try await deliver(rest) }
        return missed
    }
}

extension String {
    /// Value of a field in a line of server-sent events; nil for other lines.
    fileprivate func value(of field: String) -> Substring? {
        hasPrefix("\(field): ") ? dropFirst(field.utf8.count + 2) : nil
    }
}
