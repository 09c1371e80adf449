// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import NIOCore
internal import Synchronization
internal import TintypeModel

extension Response {
    /// Endless multipart stream of several cameras, whose parts are written one after the other.
    ///
    /// The next picture of a camera is fetched after its previous one was written, and for a slow client only when at
    /// most one other part waits: else its age would grow with the number of cameras. Ends when `ended` returns, and
    /// with the first part for which `isCurrent` returns false.
    init(
        feeds: [CameraFeed],
        over channel: (any Channel)?,
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
            try await withThrowingTaskGroup(of: (feed: CameraFeed, part: CameraFeed.Part)?.self) { group in
                defer { group.cancelAll() }
                group.addTask {
                    await ended()
                    return nil
                }
                // Cameras whose previous part is written, in that order.
                var idle = feeds
                while true {
                    let count = min(idle.count, waiting.free)
                    for var feed in idle.prefix(count) {
                        group.addTask {
                            let part = await feed.next()
                            waiting.add(1)
                            return part.map { (feed, $0) }
                        }
                    }
                    idle.removeFirst(count)
                    guard let (feed, part) = try await group.next() ?? nil, isCurrent() else { break }
                    waiting.add(-1)
                    switch part {
                    case .picture(let picture):
                        let header = PicturePart.header(of: picture, by: feed.camera)
                        try await writing.write(header, SharedPictures.all.buffer(of: picture.jpeg), end)
                    case .problem(let problem):
                        try await writing.write(PicturePart.problem(problem, of: feed.camera), end)
                    }
                    idle.append(feed)
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

    /// Number of further parts that may be fetched.
    var free: Int {
        // All cameras if none waits: one that gives no picture now must not hold up the others.
        switch number.load(ordering: .relaxed) {
        case 0: .max
        case 1: 1
        default: 0
        }
    }

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
