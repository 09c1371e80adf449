// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import TintypeModel

extension Response {
    /// A picture with its record in the header, as one buffer: it goes out in one write.
    ///
    /// Without the picture, as 304 (RFC 9110, 15.4.5), if the client `hasIt`; the record is that of this request all the
    /// same.
    init(still: Still, hasIt: Bool) {
        let record = still.record
        var headers = HTTPFields(record: record)
        headers[.cacheControl] = "no-store"
        headers[.eTag] = record.id.entityTag
        headers[.lastModified] = HTTPDate(record.capturedAt).description
        guard !hasIt else {
            self.init(notModified: headers)
            return
        }
        self.init(jpeg: still.picture, headers)
    }

    /// The picture of a stored frame, which never changes (`immutable`, RFC 8246), or its thumbnail of this width.
    init(picture: [UInt8], of id: FrameID, width: Int? = nil) { self.init(jpeg: picture, .immutable(id, width)) }

    /// The reply to a client that holds that picture or thumbnail already.
    init(notModified id: FrameID, width: Int? = nil) { self.init(notModified: .immutable(id, width)) }

    private init(jpeg: [UInt8], _ headers: HTTPFields) {
        self.init(ByteBuffer(bytes: jpeg), headers)
        self.headers[.contentType] = "image/jpeg"
    }

    private init(notModified headers: HTTPFields) {
        self.init(status: .notModified, headers: headers)
        // Not the length of this reply, which has no content, but that of the picture: better left out.
        self.headers[.contentLength] = nil
    }
}

extension HTTPFields {
    fileprivate static func immutable(_ id: FrameID, _ width: Int?) -> HTTPFields {
        // Weak for a thumbnail: another version of ours may make it with other bytes, which would be as good.
        let tag = width.map { "W/\"\(id.tag(width: $0))\"" } ?? id.entityTag
        // A browser keeps it for who is signed in, not for the next.
        return [.eTag: tag, .cacheControl: "private, max-age=31536000, immutable", .vary: "Authorization, Cookie"]
    }
}

extension FrameID {
    /// The id as an entity tag, a strong one (RFC 9110, 8.8.3).
    var entityTag: String { "\"\(self)\"" }

    /// The text between the quotes of a thumbnail's entity tag, which is a weak one.
    func tag(width: Int) -> String { "\(self)-\(width)" }
}

extension HTTPFields {
    /// The record of a still as the fields of a header.
    init(record: StillRecord) {
        self.init()
        for (field, name) in Self.recordFields {
            // Each name once, so that none has to be looked for.
            if let text = field.headerText(record) { append(HTTPField(name: name, value: text)) }
        }
    }

    private static let recordFields = StillRecord.headerFields.map { ($0, HTTPField.Name.known($0.headerName)) }
}
