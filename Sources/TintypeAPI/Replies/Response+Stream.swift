// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

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
        let next = advance ? PicturePart.bareHeader : ""
        self.init(of: 1, start: PicturePart.start + next, over: channel) { parts in
            let nextHeader = ByteBuffer(string: next)
            var picture = first
            while isCurrent() {
                let shared = SharedPictures.all.buffer(of: picture.jpeg)
                if advance {
                    try await parts.write(shared, nextHeader)
                } else {
                    try await parts.write(PicturePart.header(of: picture), shared)
                }
                do { picture = try await source() } catch { break }
            }
        }
    }

    /// Endless multipart stream of so many cameras, which begins with `start` and ends with `write`.
    private init(
        of cameras: Int,
        start: String,
        over channel: (any Channel)?,
        write: @escaping @Sendable (inout StreamWriter) async throws -> Void
    ) {
        let body = ResponseBody { writer in
            try await writer.write(ByteBuffer(string: start))
            // Returns once that is sent.
            try await writer.write(contentsOf: EmptyCollection<ByteBuffer>())
            SharedPictures.all.addViewer(of: cameras)
            defer { SharedPictures.all.removeViewer(of: cameras) }
            var parts = try StreamWriter(channel)
            try await write(&parts)
            try await writer.finish(nil)
        }
        // Forbids storage: some clients request a cached picture again.
        var headers: HTTPFields = [.contentType: PicturePart.mediaType, .cacheControl: "no-store, no-cache"]
        // nginx buffers replies unless told otherwise.
        headers[.known("X-Accel-Buffering")] = "no"
        self.init(status: .ok, headers: headers, body: body)
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

private typealias Fetched = (feed: CameraFeed, part: CameraFeed.Part)

/// Time within which all fetched parts are to be written, if two take no longer.
private let longestWait = Duration.milliseconds(200)

extension Response {
    /// Endless multipart stream of several cameras, whose parts are written one after the other.
    ///
    /// The next picture of a camera is fetched after its previous one was written, and only if the waiting parts will be
    /// written soon, as long as each takes the time of the last one by `clock`: for a slow client the age of pictures does
    /// not grow with the number of cameras. Ends when `ended` returns, and with the first part for which `isCurrent`
    /// returns false.
    init(
        feeds: [CameraFeed],
        over channel: (any Channel)?,
        by clock: any MonotonicClock,
        while isCurrent: @escaping @Sendable () -> Bool,
        until ended: @escaping @Sendable () async -> Void
    ) {
        self.init(of: feeds.count, start: PicturePart.start, over: channel) { writing in
            let waiting = WaitingParts()
            try await withThrowingTaskGroup(of: Fetched?.self) { group in
                defer { group.cancelAll() }
                group.addTask {
                    await ended()
                    return nil
                }
                func fetch(_ feeds: some Sequence<CameraFeed>, in group: inout ThrowingTaskGroup<Fetched?, any Error>) {
                    for var feed in feeds {
                        group.addTask {
                            let part = await feed.next()
                            waiting.add(1)
                            return part.map { (feed, $0) }
                        }
                    }
                }
                fetch(feeds, in: &group)
                // Cameras whose previous part is written, in that order.
                var idle: [CameraFeed] = []
                while true {
                    guard let (feed, part) = try await group.next() ?? nil, isCurrent() else { break }
                    waiting.add(-1)
                    let began = clock.now
                    switch part {
                    case .picture(let picture):
                        let header = PicturePart.header(of: picture, by: feed.camera)
                        try await writing.write(header, SharedPictures.all.buffer(of: picture.jpeg))
                        idle.append(feed)
                    case .problem(let problem):
                        try await writing.write(PicturePart.problem(problem, of: feed.camera))
                        // It waits for a change, in turn with no other.
                        fetch([feed], in: &group)
                    }
                    // At least a microsecond, for the division.
                    let room = max(2, Int(longestWait / max(clock.now - began, .microseconds(1))))
                    let next = idle.prefix(max(0, room - waiting.count))
                    fetch(next, in: &group)
                    idle.removeFirst(next.count)
                }
            }
        }
    }
}

/// Number of fetched parts that are not written yet.
private final class WaitingParts: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }

    func add(_ change: Int) { number.add(change, ordering: .relaxed) }
}

extension PicturePart {
    static func problem(_ problem: Problem, of camera: String) -> ByteBuffer {
        let document = problem.document
        var part = ByteBuffer(
            string: "Content-Type: \(Problem.mediaType)\r\nContent-Length: \(document.count)\r\n"
                + "Tintype-Camera: \(camera)\r\n\r\n"
        )
        part.writeBytes(document)
        part.writeString(PicturePart.end)
        return part
    }
}

extension Response {
    /// Orders as lines of JSON, until the session ends or `isCurrent` returns false; the session ends with the reply.
    init(orders session: any WorkSession, while isCurrent: @escaping @Sendable () -> Bool) {
        let body = ResponseBody { writer in
            // Not only by its release: the claims end as soon as the client has disconnected.
            defer { session.end() }
            while isCurrent(), let order = await session.next() {
                try await writer.write(.line(WireFormat.encode(order)))
            }
            try await writer.finish(nil)
        }
        self.init(status: .ok, headers: .uncached(WorkOrder.mediaType), body: body)
    }
}
