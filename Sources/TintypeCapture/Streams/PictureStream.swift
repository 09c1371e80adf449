// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
package import TintypeModel
internal import TintypeSystem

/// The pictures of one client that watches a camera live: always the newest, and only when the client can take one.
///
/// It opens the camera for its first picture, as a still does, and keeps it open until it ends with the last reference,
/// unless it is to have only what comes for others.
/// Clients that want the same of the same frame share one encode. A frame that comes while the client takes another is
/// not encoded for it; frames that it missed so are counted. One task at a time uses it.
package final class PictureStream: Sendable {
    private struct State {
        /// The frame that was handed out last.
        var last: FrameKey?
        /// When the next picture is due; nil before the first.
        var due: MonotonicTime?
        /// How often the camera had been stopped by command when it began, or when it last showed a picture again.
        var stops: Int

        /// Notes a frame that is handed out; returns how many were due since the last one and not handed out.
        mutating func note(_ key: FrameKey, came: MonotonicTime, every interval: Duration) -> UInt64 {
            let between = last.map { $0.stream == key.stream ? key.ordinal - $0.ordinal - 1 : 0 } ?? 0
            last = key
            guard let due, came < due + interval else {
                let slots = due.map { interval > .zero ? UInt64((came - $0) / interval) : between } ?? 0
                self.due = came + interval
                return min(slots, between)
            }
            self.due = due + interval
            return 0
        }
    }

    /// The time from one drawn picture to the next.
    private static let placeholderInterval = Duration.seconds(1)

    private let output: StillOutput
    private let request: StreamRequest
    private let table: StreamTable
    private let id: UInt64
    /// Its place among waiting clients.
    private let place: WaitingRoom.Place
    private let state: Mutex<State>

    private var session: CaptureSession { output.session }

    /// A stream of `session`'s camera, which `table` tells of.
    ///
    /// Throws `too-many-requests` where as many clients wait for frames of the camera as may.
    package init(_ session: CaptureSession, _ request: StreamRequest, in table: StreamTable) throws(Problem) {
        output = StillOutput(session: session)
        place = try session.hub.room.enter()
        state = Mutex(State(stops: session.hub.stops))
        self.request = request
        self.table = table
        id = table.add(request)
        if request.picture.opens { session.hub.beginWatch() }
    }

    deinit {
        table.remove(id)
        if request.picture.opens { session.hub.endWatch() }
    }

    /// Waits until a picture is due, and then for the newest that the client has not had.
    ///
    /// Suspends, never blocks. Throws as ``StillOutput/take(_:)`` does, and where the camera was stopped by command; a
    /// client that asked for placeholders is given one then, at most one a second.
    package func next() async throws(Problem) -> StreamedPicture {
        guard request.placeholder else { return try await picture() }
        do throws(Problem) {
            // It was stopped, and is used again: the client need not open it.
            if session.hub.snapshot.state.isStreaming { state.withLock { $0.stops = session.hub.stops } }
            return try await picture()
        } catch {
            // Its client has gone away, or the daemon stops.
            if Task.isCancelled || session.hub.closing != nil { throw error }
            let now = output.clock.now
            state.withLock { $0.due = now + max(Self.placeholderInterval, request.interval) }
            let lines = [session.name, error.code.title, error.detail, error.remedy]
            return StreamedPicture(
                jpeg: await session.encoding.page(lines),
                sequence: nil,
                capturedAt: output.clock.wall,
                age: .zero,
                placeholder: error.code
            )
        }
    }

    private func picture() async throws(Problem) -> StreamedPicture {
        let (last, due, stops) = state.withLock { ($0.last, $0.due, $0.stops) }
        if let due, due > output.clock.now {
            do { try await output.clock.sleep(until: due, tolerance: nil) } catch { throw BurstOutput.givenUp }
        }
        let interval = session.hub.snapshot.format?.interval?.duration ?? .zero
        var rendition = session.rendition(for: request.picture)
        rendition.isStreamed = true
        let wish = FrameWish(
            fresh: due == nil ? .latest : .next,
            rendition: rendition,
            settle: request.picture.settle,
            settleBy: output.settleLimit(of: request.picture, output.clock.now),
            after: last,
            opens: request.picture.opens,
            // Of the frames around the moment at which it is due, the nearest.
            requestedAt: due.map { $0 - interval / 2 } ?? output.clock.now
        )
        let delivery = try await output.deliver(
            wish,
            for: request.picture,
            until: output.clock.now + request.picture.deadline,
            in: place,
            ifStopped: stops
        )
        return handOut(delivery.frame)
    }

    /// Notes that a frame is handed out, and when the next one is due.
    private func handOut(_ frame: Frame) -> StreamedPicture {
        let missed = state.withLock { $0.note(frame.key, came: frame.stamp.dequeued, every: request.interval) }
        session.hub.count { $0.streamed += 1 }
        table.note(frame.picture.jpeg.count, dropped: missed, of: id)
        return StreamedPicture(
            jpeg: frame.picture.jpeg,
            sequence: frame.stamp.sequence,
            capturedAt: frame.name.capturedAt,
            age: max(.zero, output.clock.now - frame.stamp.exposureStart)
        )
    }
}
