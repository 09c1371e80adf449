// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import TintypeModel

extension Response {
    /// Endless multipart stream: each picture is written once the client has taken the previous one.
    ///
    /// ``CloseDelimitedResponseHandler`` delays a write until the kernel has accepted the previous one completely. With
    /// `advance`, the header of a part is sent along with the picture before it. Ends when the source throws or
    /// `isCurrent` returns false.
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
        // Forbids storage: some clients request a cached picture again.
        let headers: HTTPFields = [.contentType: PicturePart.mediaType, .cacheControl: "no-store, no-cache"]
        self.init(status: .ok, headers: headers, body: body)
    }
}

/// Part of `multipart/x-mixed-replace` (RFC 2046, 5.1) and the next boundary, which clients need to show the picture;
/// browsers like Chromium even need the header of the next part.
enum PicturePart {
    private static let boundary = "tintype-picture"
    static let mediaType = "multipart/x-mixed-replace; boundary=\(boundary)"
    static let begin = "--\(boundary)\r\n"
    /// Part header without per-picture fields, sent before the picture is known.
    static let bareHeader = "Content-Type: image/jpeg\r\n\r\n"

    /// Header and picture, without the leading boundary.
    static func whole(_ picture: StreamedPicture) -> ByteBuffer { bytes(header(of: picture), picture, "\r\n\(begin)") }

    /// Picture, boundary, and the bare header of the next part.
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
        // Same format as mjpg-streamer and ustreamer.
        let seconds = "\(microseconds / 1_000_000).\(Timestamp.pad(Int(microseconds % 1_000_000), 6))"
        let sequence = picture.sequence.map { "Tintype-Sequence: \($0)\r\n" } ?? ""
        let placeholder = picture.placeholder.map { "Tintype-Placeholder: \($0.rawValue)\r\n" } ?? ""
        let age = Milliseconds(picture.age).headerText ?? ""
        return """
            Content-Type: image/jpeg\r
            Content-Length: \(picture.jpeg.count)\r
            X-Timestamp: \(seconds)\r
            Tintype-Captured-At: \(picture.capturedAt)\r
            Tintype-Age-Ms: \(age)\r
            \(sequence)\(placeholder)\r\n
            """
    }
}

extension CameraService {
    /// Starts a live stream and waits for its first picture; throws if there is none.
    func streamReply(
        _ wanted: StreamRequest,
        of camera: String,
        for request: Request,
        _ context: ControlContext
    ) async throws(Problem) -> Response {
        let isCurrent = context.isCurrent
        let (source, first) = try await context.opening(camera, wanted.picture) { picture throws(Problem) in
            var wanted = wanted
            wanted.picture = picture
            let source = try await stream(wanted, of: camera)
            return (source, try await source())
        }
        let advance = wanted.advanceHeaders ?? request.isBrowser
        return Response(stream: source, first: first, advance: advance, while: isCurrent)
    }
}

extension RouteReply {
    static let pictures = RouteReply(
        description: """
            The pictures, each a part with the fields Tintype-Sequence, Tintype-Captured-At, Tintype-Age-Ms and X-Timestamp \
            (seconds since 1970).
            """,
        mediaType: "multipart/x-mixed-replace",
        schema: String.schema
    )
}
