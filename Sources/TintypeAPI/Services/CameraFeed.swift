// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import TintypeSystem

/// Live pictures of one camera of a reply, or the reason why it gives none; for one task at a time.
///
/// Starts anew after a problem: when an event says that the camera has changed, else after ``pause``.
struct CameraFeed: Sendable {
    enum Part: Sendable {
        case picture(StreamedPicture)
        case problem(Problem)
    }

    /// Starts a stream that opens the camera or does not, and waits for its first picture.
    typealias Start = @Sendable (_ opens: Bool) async throws(Problem) -> (PictureSource, StreamedPicture)
    /// Number of times that the camera was stopped by command.
    typealias Stops = @Sendable () async -> Int

    /// Minimum time before another attempt without an event as its reason: ``EventService/signals()`` ends it.
    static let pause = Duration.seconds(2)
    /// Time after which the same problem is sent again: a write shows that the client is still there.
    static let reminder = Duration.seconds(30)

    let camera: String
    private let events: any EventService
    private let clock: any MonotonicClock
    private let stopCount: Stops
    private let start: Start
    private var opens: Bool
    /// Stop count at the last attempt that was to open the camera.
    private var stops: Int?
    private var source: PictureSource?
    /// Problem that was returned last; nil after a picture.
    private var last: (problem: Problem, at: MonotonicTime)?
    /// Number of the newest event before the last attempt.
    private var place = 0

    init(
        of camera: String,
        opens: Bool,
        events: any EventService,
        by clock: any MonotonicClock,
        stopCount: @escaping Stops,
        start: @escaping Start
    ) {
        (self.camera, self.opens, self.events, self.clock) = (camera, opens, events, clock)
        (self.stopCount, self.start) = (stopCount, start)
    }

    /// The newest picture once it is due, or a problem once it is another one; nil in a cancelled task.
    mutating func next() async -> Part? {
        while true {
            if last != nil { await waitForChange() }
            guard !Task.isCancelled else { return nil }
            do throws(Problem) {
                let picture = try await picture()
                last = nil
                return .picture(picture)
            } catch {
                source = nil
                // The camera was stopped by command, and only a new request opens it again.
                if error.code == .stopping { opens = false }
                let now = clock.now
                if let last, last.problem.isLike(error), now < last.at + Self.reminder { continue }
                last = (error, now)
                return Task.isCancelled ? nil : .problem(error)
            }
        }
    }

    private mutating func picture() async throws(Problem) -> StreamedPicture {
        if let source { return try await source() }
        place = events.newest
        if opens {
            let count = await stopCount()
            // It may have been stopped between two attempts.
            if let stops, count > stops { opens = false }
            stops = count
        }
        let (source, first) = try await start(opens)
        self.source = source
        return first
    }

    private mutating func waitForChange() async {
        let end = clock.now + Self.pause
        for await _ in events.signals() {
            let news = events.events(after: place)
            place = news.last?.id ?? place
            if clock.now >= end || news.contains(where: isReason) { return }
        }
    }

    /// True if another attempt may have another result: one that opens the camera changes its state itself.
    private func isReason(_ event: Event) -> Bool {
        guard event.camera == camera else { return false }
        return event.kind == .configurationChanged || event.state.map { !opens || $0.isStreaming } ?? false
    }
}

extension Problem {
    /// True for the same reason, whatever its numbers and the time to wait are by now.
    fileprivate func isLike(_ other: Problem) -> Bool {
        func words(_ text: String) -> String { text.filter { !$0.isNumber } }
        return code == other.code && cause == other.cause && words(detail) == words(other.detail)
    }
}
