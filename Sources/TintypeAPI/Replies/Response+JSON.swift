// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import TintypeModel

extension Response {
    /// `value` as JSON with `no-store`.
    init(json value: some Encodable, status: HTTPResponse.Status = .ok) throws {
        self.init(ByteBuffer(bytes: try WireFormat.encode(value)), .uncached("application/json"), status: status)
    }

    init(_ bytes: ByteBuffer, _ headers: HTTPFields, status: HTTPResponse.Status = .ok) {
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: bytes))
    }

    /// 201 for taken stills, with `Location` if it is a single stored still.
    init(taken list: StillList) throws {
        try self.init(json: list, status: .created)
        if list.stills.count == 1, let record = list.stills.first, record.stored != .no {
            headers[.location] = "/v1/frames/\(record.id)"
        }
    }

    /// Streams a burst as lines of JSON: a ``StillList`` per still.
    ///
    /// The last line lists missed stills, or is the problem if the first still failed. The reply begins before the
    /// first still, so its status is always 200. `take` runs while the body is written: a client that disconnects
    /// cancels it, and a client that reads slowly delays no still.
    init(
        lines take: @escaping @Sendable (AsyncStream<StillRecord>.Continuation) async throws(Problem) -> StillList
    ) {
        let body = ResponseBody { writer in
            let (records, told) = AsyncStream.makeStream(of: StillRecord.self)
            async let end = Self.end(of: take, told)
            for await record in records {
                try await writer.write(.line(WireFormat.encode(StillList(stills: [record]))))
            }
            if let end = try await end { try await writer.write(.line(end)) }
            try await writer.finish(nil)
        }
        self.init(status: .ok, headers: .uncached(StillList.linesMediaType), body: body)
    }

    /// Runs `take` and returns the last line, if any.
    private static func end(
        of take: @Sendable (AsyncStream<StillRecord>.Continuation) async throws(Problem) -> StillList,
        _ told: AsyncStream<StillRecord>.Continuation
    ) async throws -> [UInt8]? {
        defer { told.finish() }
        do {
            let missed = try await take(told).missed
            return try missed.map { try WireFormat.encode(StillList(stills: [], missed: $0)) }
        } catch let problem as Problem {
            return problem.document
        }
    }
}

extension HTTPFields {
    static func uncached(_ type: String) -> HTTPFields { [.contentType: type, .cacheControl: "no-store"] }
}

extension ByteBuffer {
    fileprivate static func line(_ json: [UInt8]) -> ByteBuffer { ByteBuffer(bytes: json + [UInt8(ascii: "\n")]) }
}
