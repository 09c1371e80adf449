// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import TintypeModel

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
        headers: Headers
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
