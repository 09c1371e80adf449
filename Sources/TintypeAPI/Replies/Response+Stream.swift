// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import TintypeModel

extension Response {
    /// Endless multipart stream: each picture is written once the client has taken the previous one.
    ///
    /// ``StreamWriter`` completes a write once the kernel has accepted all of it. With `advance`, the header of a part is
    /// sent along with the picture before it. Ends when the source throws or `isCurrent` returns false.
    init(
        stream source: @escaping PictureSource,
        first: StreamedPicture,
        advance: Bool,
        over channel: (any Channel)?,
        while isCurrent: @escaping @Sendable () -> Bool
    ) {
        let body = ResponseBody { writer in
            try await writer.write(ByteBuffer(string: PicturePart.start + (advance ? PicturePart.bareHeader : "")))
            // Returns once that is sent.
            try await writer.write(contentsOf: EmptyCollection<ByteBuffer>())
            SharedPictures.all.addViewer()
            defer { SharedPictures.all.removeViewer() }
            var parts = try StreamWriter(channel)
            let end = ByteBuffer(string: PicturePart.end + (advance ? PicturePart.bareHeader : ""))
            var picture = first
            while isCurrent() {
                let header = advance ? ByteBuffer() : PicturePart.header(of: picture)
                try await parts.write(header, SharedPictures.all.buffer(of: picture.jpeg), end)
                do { picture = try await source() } catch { break }
            }
            try await writer.finish(nil)
        }
        self.init(status: .ok, headers: .liveStream, body: body)
    }
}

extension HTTPFields {
    static var liveStream: HTTPFields {
        // Forbids storage: some clients request a cached picture again.
        var fields: HTTPFields = [.contentType: PicturePart.mediaType, .cacheControl: "no-store, no-cache"]
        // nginx buffers replies unless told otherwise.
        fields[.known("X-Accel-Buffering")] = "no"
        return fields
    }
}

/// Part of `multipart/x-mixed-replace` (RFC 2046, 5.1) and the next boundary, which clients need to show the picture;
/// browsers like Chromium even need the header of the next part.
enum PicturePart {
    private static let boundary = "tintype-picture"
    static let mediaType = "multipart/x-mixed-replace; boundary=\(boundary)"
    static let start = "--\(boundary)\r\n"
    /// Between a picture and the header of the next part.
    static let end = "\r\n\(start)"
    /// Part header without per-picture fields, sent before the picture is known.
    static let bareHeader = "Content-Type: image/jpeg\r\n\r\n"

    /// Names the `camera` if the reply has several.
    static func header(of picture: StreamedPicture, by camera: String? = nil) -> ByteBuffer {
        let microseconds = picture.capturedAt.microseconds
        var text = "Content-Type: image/jpeg\r\nContent-Length: "
        text.reserveCapacity(256)
        text += String(picture.jpeg.count)
        // Same format as mjpg-streamer and ustreamer.
        text += "\r\nX-Timestamp: "
        text += String(microseconds / 1_000_000)
        text += "."
        text += Timestamp.pad(Int(microseconds % 1_000_000), 6)
        text += "\r\nTintype-Captured-At: "
        text += picture.capturedAt.description
        text += "\r\nTintype-Age-Ms: "
        text += Milliseconds(picture.age).headerText ?? ""
        if let sequence = picture.sequence { text += "\r\nTintype-Sequence: \(sequence)" }
        if let placeholder = picture.placeholder { text += "\r\nTintype-Placeholder: \(placeholder.rawValue)" }
        if let camera { text += "\r\nTintype-Camera: \(camera)" }
        text += "\r\n\r\n"
        return ByteBuffer(string: text)
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
        let (source, first) = try await startStream(wanted, of: camera, context)
        let (advance, isCurrent) = (wanted.advanceHeaders ?? request.isBrowser, context.isCurrent)
        return Response(stream: source, first: first, advance: advance, over: context.channel, while: isCurrent)
    }

    func startStream(
        _ wanted: StreamRequest,
        of camera: String,
        _ context: ControlContext
    ) async throws(Problem) -> (PictureSource, StreamedPicture) {
        try await context.opening(camera, wanted.picture) { picture throws(Problem) in
            var wanted = wanted
            wanted.picture = picture
            let source = try await stream(wanted, of: camera)
            return (source, try await source())
        }
    }
}

extension RouteReply {
    static let pictures = content(
        ["multipart/x-mixed-replace"],
        """
        The pictures, each a part with the fields Tintype-Sequence, Tintype-Captured-At, Tintype-Age-Ms and X-Timestamp \
        (seconds since 1970).
        """
    )
}
