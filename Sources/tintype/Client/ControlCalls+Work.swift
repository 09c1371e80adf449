// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
internal import TintypeModel

/// Calls of the worker, and files of any size.
extension ControlExchange {
    func file(of id: FrameID, each: ([UInt8]) async throws -> Void) async throws {
        try await parts(of: "/v1/frames/\(id)/image", each)
    }

    func file(of id: FrameID, inBatch batch: String, each: ([UInt8]) async throws -> Void) async throws {
        try await parts(of: path(batch, "/\(id)"), each)
    }

    /// Reads the recording of a clip in parts, or only its first bytes.
    func recording(ofBatch batch: String, upTo end: Int = .max, each: ([UInt8]) async throws -> Void) async throws {
        try await parts(of: path(batch, "/recording"), upTo: end, each)
    }

    /// Passes the ranges of a file to `each`, in order (RFC 9110, 14); a picture is mostly one.
    private func parts(of path: String, upTo end: Int = .max, _ each: ([UInt8]) async throws -> Void) async throws {
        var (offset, total) = (0, Int.max)
        while offset < min(total, end) {
            let range = ["Range": "bytes=\(offset)-\(min(end, offset + 8 << 20) - 1)"]
            let request = ControlRequest(method: "GET", path: path, headers: range, deadline: .transfer)
            let reply = try await succeed(request)
            let field = reply.header("Content-Range")?.wholeMatch(of: /bytes ([0-9]+)-[0-9]+\/([0-9]+)/)
            // Without the field the reply is the whole file.
            guard field.map({ Int($0.1) == offset && !reply.body.isEmpty }) ?? (offset == 0) else {
                throw ClientError.unexpected("The reply to GET \(path) is another part of the file.")
            }
            total = field.flatMap { Int($0.2) } ?? reply.body.count
            try await each(reply.body)
            offset += reply.body.count
        }
    }

    /// Pictures of a film, the oldest first.
    func pictures(ofBatch batch: String, after cursor: FrameCursor?) async throws -> FramePage {
        let query = cursor.map { [(name: "cursor", value: "\($0)")] } ?? []
        return try await read(ControlRequest(method: "GET", path: path(batch, "/pictures"), query: query))
    }

    /// Sends a part of a film or clip, at most 1 MiB; that at offset 0 begins anew.
    func send(_ part: [UInt8], at offset: Int, ofBatch batch: String) async throws {
        var request = ControlRequest(method: "PUT", path: path(batch, "/video"), body: part, deadline: .transfer)
        request.query = [("offset", "\(offset)")]
        request.headers = ["Content-Type": "application/octet-stream"]
        _ = try await succeed(request)
    }

    func report(_ report: WorkReport, ofBatch batch: String, within limit: Duration?) async throws {
        let limit = limit ?? (report.video == nil ? ControlRequest.defaultDeadline : .storing)
        _ = try await succeed(ControlRequest(method: "POST", path: path(batch), json: report, within: limit))
    }

    private func path(_ batch: String, _ rest: String = "") -> String { "/v1/work/\(batch.percentEncoded())\(rest)" }
}

// MARK: - Replies in lines

extension ControlConnection {
    /// Streams events (`GET /v1/events`) to `each`, in order.
    ///
    /// `last` is the number of the last event that the caller has, or nil. It is updated, also past events that were
    /// filtered out or whose kind this version does not know. Runs until the task is cancelled or `each` throws. Throws
    /// ``ClientError`` if the connection breaks or `each` falls too far behind.
    func events(
        _ wanted: EventRequest,
        after last: inout Int?,
        each: (Event) async throws -> Void
    ) async throws {
        var request = ControlRequest(method: "GET", path: "/v1/events", query: wanted.query, deadline: nil)
        request.headers = last.map { [EventRequest.lastIDField: "\($0)"] } ?? [:]
        var (number, data, isKnown): (Int?, Substring?, Bool) = (nil, nil, true)
        // Twice the number of lines of all events that a daemon keeps.
        _ = try await lines(of: request, .bufferingOldest(65_536)) { [request] line in
            let text = String(decoding: line.dropLast(), as: UTF8.self)
            let field = text.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
            switch (field.first, field.last) {
            case ("id", let value?): number = Int(value)
            case ("data", let value?): data = value
            case ("event", let value?): isKnown = Event.Kind(rawValue: String(value)) != nil
            default: break
            }
            guard text.isEmpty else { return }
            if isKnown, let json = data { try await each(try request.read(from: Array(json.utf8))) }
            last = number ?? last
            (data, isKnown) = (nil, true)
        }
    }

    /// Passes the orders to the worker (`POST /v1/work`) to `each`; returns when the daemon ends the reply.
    func orders(each: (WorkOrder) async throws -> Void) async throws {
        var request = ControlRequest(method: "POST", path: "/v1/work", deadline: nil)
        request.headers = ["Accept": WorkOrder.mediaType]
        _ = try await lines(of: request) { [request] in try await each(try request.read(from: $0)) }
    }

    /// Takes a burst, passes each durable still to `each`, whose error ends it, and returns the missed stills, or nil.
    func stills(
        _ stills: StillRequest,
        of camera: String,
        each: (StillRecord) async throws -> Void
    ) async throws -> [MissedStill]? {
        let request = try stillsRequest(stills, of: camera, accept: StillList.linesMediaType)
        var missed: [MissedStill]?
        /// A line is a list, or the problem of the first still.
        func deliver(_ line: [UInt8]) async throws {
            if let failure = ControlResponse.failure(in: line) { throw failure }
            let list: StillList = try request.read(from: line)
            for still in list.stills { try await each(still) }
            missed = list.missed
        }
        // A daemon without support for lines replies with one list.
        let rest = try await lines(of: request, each: deliver)
        if !rest.isEmpty { try await deliver(rest) }
        return missed
    }

    /// Passes each line of the reply to `each` as it arrives, and returns what follows the last one.
    private func lines(
        of request: ControlRequest,
        _ buffering: AsyncStream<[UInt8]>.Continuation.BufferingPolicy = .unbounded,
        each: ([UInt8]) async throws -> Void
    ) async throws -> [UInt8] {
        let (lines, feed) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: buffering)
        async let reply = send(request, since: .now(), lines: feed).checked(for: request)
        for await line in lines { try await each(line) }
        return try await reply.body
    }
}
