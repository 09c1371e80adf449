// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import TintypeModel

extension Response {
    /// A picture with its record in the header, as one buffer: it goes out in one write.
    init(still: Still) {
        let record = still.record
        var headers: HTTPFields = [
            .contentType: "image/jpeg",
            .cacheControl: "no-store",
            .eTag: "\"\(record.id)\"",
            .lastModified: HTTPDate(record.capturedAt).description,
            .tintypeID: record.id.description,
            .tintypeCamera: record.camera,
            .tintypeSequence: "\(record.sequence)",
            .tintypeCapturedAt: record.capturedAt.description,
            .tintypeTimestampSource: record.timestampSource.rawValue,
            .tintypeStored: record.stored.rawValue,
        ]
        headers[.tintypeAgeMs] = record.ageMs?.headerValue
        headers[.tintypeWaitedMs] = record.waitedMs?.headerValue
        headers[.tintypePath] = record.path
        self.init(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: still.picture))
        )
    }

    /// The picture of a stored frame, which never changes (`immutable`, RFC 8246).
    init(picture: [UInt8], of id: FrameID) {
        var headers = HTTPFields.immutable(id)
        headers[.contentType] = "image/jpeg"
        self.init(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture)))
    }

    /// The reply to a client that holds the picture already (RFC 9110, 15.4.5).
    init(notModified id: FrameID) {
        self.init(status: .notModified, headers: .immutable(id))
        // Not the length of this reply, which has no content, but that of the picture: better left out.
        headers[.contentLength] = nil
    }
}

extension HTTPFields {
    fileprivate static func immutable(_ id: FrameID) -> HTTPFields {
        [.eTag: "\"\(id)\"", .cacheControl: "private, max-age=31536000, immutable"]
    }
}

extension Milliseconds {
    /// A number with at most three decimals, as in JSON.
    fileprivate var headerValue: String {
        let value = (duration.millisecondCount * 1000).rounded() / 1000
        return value == value.rounded() ? "\(Int64(value))" : "\(value)"
    }
}
