// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import TintypeModel

extension Response {
    /// Pictures in one reply, each sent when the client has taken the one before; it ends with the source.
    ///
    /// ``UnframedReplyHandler`` has a write wait until the kernel has all of the one before. With `advance` the header of
    /// a part comes with the picture before it. It also ends when `isCurrent` does not hold any more.
    init(
        stream source: @escaping PictureSource,
        first: StreamedPicture,
        advance: Bool,
        while isCurrent: @escaping @Sendable () -> Bool
    ) {
        let body = ResponseBody { writer in
            try await writer.write(ByteBuffer(string: PicturePart.begin + (advance ? PicturePart.bareHeader : "")))
            var picture = first
            while isCurrent() {
                try await writer.write(advance ? PicturePart.advancing(picture) : PicturePart.whole(picture))
                try await writer.write(contentsOf: EmptyCollection<ByteBuffer>())
                do { picture = try await source() } catch { break }
            }
            try await writer.finish(nil)
        }
        // Some clients ask again for a picture that they were sent and may keep.
        let headers: HTTPFields = [.contentType: PicturePart.mediaType, .cacheControl: "no-store, no-cache"]
        self.init(status: .ok, headers: headers, body: body)
    }
}

/// One picture of a stream on the wire: a part of `multipart/x-mixed-replace`, which is `multipart/mixed` (RFC 2046,
/// 5.1) whose parts replace each other.
///
/// It has the line that the next part begins with, since clients show a picture when they have read that.
enum PicturePart {
    private static let boundary = "tintype-picture"
    static let mediaType = "multipart/x-mixed-replace; boundary=\(boundary)"
    /// The line that a part begins with.
    static let begin = "--\(boundary)\r\n"
    /// The header of a part whose picture is not known yet.
    static let bareHeader = "Content-Type: image/jpeg\r\n\r\n"

    /// A part behind its first line.
    static func whole(_ picture: StreamedPicture) -> ByteBuffer { bytes(header(of: picture), picture, "\r\n\(begin)") }

    /// A picture behind its header, and the header of the next one.
    static func advancing(_ picture: StreamedPicture) -> ByteBuffer { bytes("", picture, "\r\n\(begin)\(bareHeader)") }

    private static func bytes(_ header: String, _ picture: StreamedPicture, _ end: String) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(header.utf8.count + picture.jpeg.count + end.utf8.count)
        bytes.writeString(header)
        bytes.writeBytes(picture.jpeg)
        bytes.writeString(end)
        return bytes
    }

    private static func header(of picture: StreamedPicture) -> String {
        let microseconds = picture.capturedAt.microseconds
        var fields = [
            "Content-Type: image/jpeg",
            "Content-Length: \(picture.jpeg.count)",
            // As mjpg-streamer and ustreamer have it.
            "X-Timestamp: \(microseconds / 1_000_000).\(Timestamp.pad(Int(microseconds % 1_000_000), 6))",
            "Tintype-Captured-At: \(picture.capturedAt)",
            "Tintype-Age-Ms: \(Milliseconds(picture.age).headerText ?? "")",
        ]
        if let sequence = picture.sequence { fields.append("Tintype-Sequence: \(sequence)") }
        if let code = picture.placeholder { fields.append("Tintype-Placeholder: \(code.rawValue)") }
        return fields.joined(separator: "\r\n") + "\r\n\r\n"
    }
}
