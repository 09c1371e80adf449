// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
package import TintypeModel
package import TintypeSystem

/// Live stream of one client: always the newest picture, when the client is ready for it.
///
/// Opens the camera for its first picture, unless the request says otherwise, and keeps it open. Frames that arrive
/// while the client is busy are not encoded for it, but counted as missed. For use by one task at a time.
package final class PictureStream: Sendable {
    private struct State {
        var frames: FrameSubscription?
        var last: FrameKey?
        var due: MonotonicTime?
        /// Stop count of the camera at the start of the stream, or when it last resumed after a placeholder.
        var stops: Int

        /// Records a delivered frame; returns the number of due frames missed since the last one.
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

    private let output: StillOutput
    private let request: StreamRequest
    private let options: EncodingOptions
    private let table: StreamTable?
    private let id: UInt64
    private let place: RequestLimiter.Place
    private let state: Mutex<State>

    private var session: CaptureSession { output.session }

    /// A stream of the daemon itself has no `table`; throws `too-many-requests` if no place is free.
    package init(_ session: CaptureSession, _ request: StreamRequest, in table: StreamTable?) throws(Problem) {
        output = StillOutput(session: session)
        place = try session.dispatcher.limiter.enter()
        state = Mutex(State(stops: session.dispatcher.stops.count))
        (self.request, self.table) = (request, table)
        options = session.context.encoder.options(for: request.picture, isStreamed: true)
        id = table?.add(request) ?? 0
        if request.picture.opens { session.dispatcher.beginWatch() }
    }

    deinit {
        table?.remove(id)
        state.withLock { $0.frames }?.close(isGone: false)
        if request.picture.opens { session.dispatcher.endWatch() }
    }

    /// Waits until a picture is due, then for the newest one.
    ///
    /// Throws like a still, and if the camera was stopped by command. After the first picture it waits through failures
    /// until the deadline. A placeholder comes at most once a second.
    package func next() async throws(Problem) -> StreamedPicture {
        guard request.placeholder else { return try await picture() }
        do throws(Problem) {
            // The camera was stopped and is in use again, so this client does not reopen it.
            if session.published.snapshot.state.isStreaming {
                state.withLock { $0.stops = session.dispatcher.stops.count }
            }
            return try await picture()
        } catch {
            // The client has disconnected, or the daemon stops.
            if Task.isCancelled || session.dispatcher.state.withLock(\.subscribers.closing) != nil { throw error }
            let now = output.clock.now
            state.withLock { $0.due = now + max(.seconds(1), request.interval) }
            let lines = [session.name, error.code.title, error.detail, error.remedy]
            return StreamedPicture(
                jpeg: await session.context.encoder.threads.page(lines),
                sequence: nil,
                capturedAt: output.clock.wall,
                age: .zero,
                placeholder: error.code
            )
        }
    }

    private func picture() async throws(Problem) -> StreamedPicture {
        let due = state.withLock(\.due)
        if let due, due > output.clock.now {
            do { try await output.clock.sleep(until: due, tolerance: nil) } catch { throw Problem.requestAbandoned }
        }
        let frames = try subscription(due: due)
        let deadline = output.clock.now + request.picture.deadline
        let image: EncodedImage
        do throws(Problem) {
            image = try await output.frame(of: frames, for: request.picture, until: deadline).image
        } catch {
            state.withLock { $0.frames = nil }
            frames.close(isGone: Task.isCancelled)
            throw error
        }
        let missed = state.withLock { $0.note(image.key, came: image.stamp.dequeued, every: request.interval) }
        if let table {
            session.published.count { $0.streamed += 1 }
            table.note(image.jpeg.count, dropped: missed, of: id)
        }
        return StreamedPicture(
            jpeg: image.jpeg,
            sequence: image.stamp.sequence,
            capturedAt: image.name.capturedAt,
            age: max(.zero, output.clock.now - image.stamp.exposureStart),
            placeholder: nil
        )
    }

    /// Requests the picture that is due: the newest one at first, then the one nearest to that time.
    private func subscription(due: MonotonicTime?) throws(Problem) -> FrameSubscription {
        let (frames, last, stops) = state.withLock { ($0.frames, $0.last, $0.stops) }
        let now = output.clock.now
        var criteria = output.criteria(of: request.picture, as: options, at: now, ifStopped: stops)
        criteria.after = last
        criteria.fresh = due == nil ? .latest : .next
        if let due { criteria.requestedAt = due - session.published.interval / 2 }
        criteria.lifetime = due == nil || request.placeholder ? .untilFailure : .untilStop
        try output.refuseIfHopeless(criteria)
        guard let frames else {
            let frames = session.frames(criteria, in: place)
            state.withLock { $0.frames = frames }
            return frames
        }
        session.dispatcher.renew(frames, criteria)
        return frames
    }
}

/// The live streams of a camera and their statistics; any thread, never blocks.
package final class StreamTable: Sendable {
    private typealias Stream = (status: StreamStatus, rate: RateMeter)

    private let streams = Mutex<[UInt64: Stream]>([:])
    private let clock: any MonotonicClock
    private static let lastID = Atomic<UInt64>(0)

    package init(clock: any MonotonicClock) { self.clock = clock }

    package var status: [StreamStatus]? {
        let all = streams.withLock { Array($0.values) }
        guard !all.isEmpty else { return nil }
        let now = clock.now
        let statuses = all.map { stream in
            var status = stream.status
            status.framesPerSecond = stream.rate.rate(at: now)
            return status
        }
        return statuses.sorted { $0.id < $1.id }
    }

    func add(_ request: StreamRequest) -> UInt64 {
        let id = Self.lastID.add(1, ordering: .relaxed).newValue
        streams.withLock { $0[id] = (StreamStatus(id: id, since: clock.wall, request), RateMeter()) }
        return id
    }

    /// Records a delivered picture of `bytes` bytes, and the number of due pictures missed before it.
    func note(_ bytes: Int, dropped: UInt64, of id: UInt64) {
        let now = clock.now
        streams.withLock { streams in
            guard var (status, rate) = streams[id] else { return }
            status.sent += 1
            status.dropped += dropped
            status.bytes += UInt64(bytes)
            rate.count(at: now)
            streams[id] = (status, rate)
        }
    }

    func remove(_ id: UInt64) { streams.withLock { $0[id] = nil } }
}
