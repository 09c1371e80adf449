// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
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

extension Response {
    /// A picture with its record in the headers, as one write; if `hasIt`, 304 and the headers (RFC 9110, 15.4.5).
    init(still: Still, hasIt: Bool) {
        let record = still.record
        var headers = HTTPFields(record: record)
        headers[.cacheControl] = "no-store"
        headers[.eTag] = record.id.entityTag
        headers[.lastModified] = record.capturedAt.httpDate
        guard !hasIt else {
            self.init(notModified: headers)
            return
        }
        self.init(jpeg: still.picture, headers)
    }

    init(jpeg: [UInt8], _ headers: HTTPFields) {
        self.init(ByteBuffer(bytes: jpeg), headers)
        self.headers[.contentType] = "image/jpeg"
    }

    init(notModified headers: HTTPFields) {
        self.init(status: .notModified, headers: headers)
        // The Content-Length of a 304 would be that of the picture; it is omitted.
        self.headers[.contentLength] = nil
    }
}

extension HTTPFields {
    init(record: StillRecord) {
        self.init()
        for (field, name) in Self.recordFields {
            // Names are unique, so appending without a lookup is safe.
            if let text = field.headerText(record) { append(HTTPField(name: name, value: text)) }
        }
    }

    private static let recordFields = StillRecord.headerFields.map { ($0, HTTPField.Name.known($0.headerName)) }

    /// For the picture of a stored frame, or its thumbnail of this width; cacheable as `immutable` (RFC 8246).
    static func immutable(_ id: FrameID, _ width: Int?) -> HTTPFields {
        // Weak: another version of tintype may encode the thumbnail to different bytes.
        let tag = width.map { "W/\"\(id.tag(width: $0))\"" } ?? id.entityTag
        // Varies by credentials: a browser must not reuse it for another user.
        return [.eTag: tag, .cacheControl: "private, max-age=31536000, immutable", .vary: "Authorization, Cookie"]
    }
}

extension FrameID {
    /// The id as a strong entity tag (RFC 9110, 8.8.3).
    var entityTag: String { "\"\(self)\"" }

    /// Opaque part of the entity tag of a picture, or of a thumbnail of this width, without quotes.
    func tag(width: Int?) -> String { width.map { "\(self)-\($0)" } ?? "\(self)" }
}

extension HTTPField.Name {
    /// Field name from a constant that must be a valid token (RFC 9110, 5.6.2).
    static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is no token of RFC 9110, 5.6.2") }
        return name
    }
}

extension Response {
    /// A stored file, or the part that the request has as its Range (RFC 9110, 14).
    ///
    /// A file that is not in memory is read in parts, each after the client has taken most of the one before; an error
    /// then closes the connection.
    init(file: StoredFile, for request: Request, _ headers: HTTPFields) {
        let range = request.range(of: file.bytes, tag: headers[.eTag])
        guard range?.isEmpty != true else {
            let headers: HTTPFields = [.contentRange: "bytes */\(file.bytes)", .cacheControl: "no-store"]
            self.init(status: .rangeNotSatisfiable, headers: headers)
            return
        }
        let bytes = range ?? 0..<file.bytes
        var headers = headers
        headers[.contentType] = file.mediaType
        headers[.acceptRanges] = "bytes"
        if range != nil {
            headers[.contentRange] = "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(file.bytes)"
        }
        let status = range == nil ? HTTPResponse.Status.ok : .partialContent
        if let whole = file.whole {
            self.init(ByteBuffer(bytes: whole[bytes]), headers, status: status)
            return
        }
        // Not the length of the body: see `bytesInMemory`.
        headers[.contentLength] = "\(bytes.count)"
        let body = ResponseBody { writer in
            for start in stride(from: bytes.lowerBound, to: bytes.upperBound, by: StoredFile.part) {
                let part = start..<min(start + StoredFile.part, bytes.upperBound)
                try await writer.write(ByteBuffer(bytes: try await file.read(part)))
            }
            try await writer.finish(nil)
        }
        self.init(status: status, headers: headers, body: body)
    }

    /// Size of the reply in the ``ReplyBudget``: of a file that is read in parts, that of one part.
    var bytesInMemory: Int {
        body.contentLength ?? min(headers[.contentLength].flatMap { Int($0) } ?? 0, StoredFile.part)
    }
}

extension Request {
    /// Requested range of a file, empty if it has none of these bytes; nil for the whole file, also for a Range that is
    /// malformed or has several ranges, and for another file than that of If-Range (RFC 9110, 13.1.5).
    fileprivate func range(of size: Int, tag: String?) -> Range<Int>? {
        guard method == .get, let field = headers[.range],
            let match = field.wholeMatch(of: /(?i:bytes)=[ \t]*([0-9]*)-([0-9]*)[ \t]*/)
        else { return nil }
        // A weak tag, or a date, never matches.
        if let condition = headers[.known("If-Range")], condition != tag { return nil }
        func number(_ digits: Substring) -> Int? { digits.isEmpty ? nil : Int(digits) ?? .max }
        switch (number(match.1), number(match.2)) {
        case (nil, nil): return nil
        case (nil, let count?): return size - min(count, size)..<size
        case (let first?, let last):
            guard first <= last ?? .max else { return nil }
            return min(first, size)..<min(last ?? .max, size - 1) + 1
        }
    }
}

extension RouteParameter {
    static let ofRanges = [
        RouteParameter(
            .header,
            "Range",
            "The bytes to send, as in bytes=0-499, bytes=500- or bytes=-500. Several ranges are ignored."
        ),
        RouteParameter(
            .header,
            "If-Range",
            "The ETag of the file that Range is meant for. The whole of another file is sent."
        ),
    ]
}

extension RouteReply {
    /// Replies with a file of one of these media types or a range of it.
    static func file(
        _ description: String,
        _ types: [String] = ["image/jpeg", "video/mp4", "video/x-matroska"],
        headers: Headers = []
    ) -> [RouteReply] {
        let headers = headers + [("Accept-Ranges", "bytes")]
        let range = (name: "Content-Range", description: "The range and the length of the file (RFC 9110, 14.4).")
        return [
            Self(description: description, mediaTypes: types, headers: headers),
            Self(status: 206, description: "The bytes of Range.", mediaTypes: types, headers: headers + [range]),
            empty("The file has none of the bytes of Range.", status: 416, headers: [range]),
        ]
    }
}
