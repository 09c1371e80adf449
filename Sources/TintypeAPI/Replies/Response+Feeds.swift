// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import NIOCore
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

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
        let body = ResponseBody { writer in
            try await writer.write(ByteBuffer(string: PicturePart.start))
            // Returns once that is sent.
            try await writer.write(contentsOf: EmptyCollection<ByteBuffer>())
            SharedPictures.all.addViewer(of: feeds.count)
            defer { SharedPictures.all.removeViewer(of: feeds.count) }
            var writing = try StreamWriter(channel)
            let waiting = WaitingParts()
            let end = ByteBuffer(string: PicturePart.end)
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
                        try await writing.write(header, SharedPictures.all.buffer(of: picture.jpeg), end)
                        idle.append(feed)
                    case .problem(let problem):
                        try await writing.write(PicturePart.problem(problem, of: feed.camera), end)
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
            try await writer.finish(nil)
        }
        self.init(status: .ok, headers: .liveStream, body: body)
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
