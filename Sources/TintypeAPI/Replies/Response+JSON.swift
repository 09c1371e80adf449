// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import TintypeModel

extension Response {
    init(json value: some Encodable, status: HTTPResponse.Status = .ok) throws {
        self.init(ByteBuffer(bytes: try WireFormat.encode(value)), .uncached("application/json"), status: status)
    }

    init(_ bytes: ByteBuffer, _ headers: HTTPFields, status: HTTPResponse.Status = .ok) {
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: bytes))
    }

    /// 201 for taken stills, with `Location` if it is a single stored still, relative to `…/cameras/{camera}/stills` (RFC
    /// 9110, 10.2.2): a proxy may serve the API below a path.
    init(taken list: StillList) throws {
        try self.init(json: list, status: .created)
        if list.stills.count == 1, let record = list.stills.first, record.stored != .no {
            headers[.location] = "../../frames/\(record.id)"
        }
    }

    /// Streams a burst as lines of JSON: a ``StillList`` per still.
    ///
    /// The last line lists missed stills, or is the problem if the first still failed. The reply begins before the
    /// first still, so its status is always 200. `takeStills` runs while the body is written: a client that disconnects
    /// cancels it, and a client that reads slowly delays no still.
    init(
        lines takeStills: @escaping @Sendable (AsyncStream<StillRecord>.Continuation) async throws(Problem) -> StillList
    ) {
        let body = ResponseBody { writer in
            let (records, continuation) = AsyncStream.makeStream(of: StillRecord.self)
            async let last = Self.lastLine(of: takeStills, continuation)
            for await record in records {
                try await writer.write(.line(WireFormat.encode(StillList(stills: [record]))))
            }
            if let last = try await last { try await writer.write(.line(last)) }
            try await writer.finish(nil)
        }
        self.init(status: .ok, headers: .uncached(StillList.linesMediaType), body: body)
    }

    private static func lastLine(
        of takeStills: @Sendable (AsyncStream<StillRecord>.Continuation) async throws(Problem) -> StillList,
        _ continuation: AsyncStream<StillRecord>.Continuation
    ) async throws -> [UInt8]? {
        defer { continuation.finish() }
        do {
            let missed = try await takeStills(continuation).missed
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
    static func line(_ json: [UInt8]) -> ByteBuffer { ByteBuffer(bytes: json + [UInt8(ascii: "\n")]) }
}
