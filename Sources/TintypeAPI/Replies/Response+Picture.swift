// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import TintypeModel

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
