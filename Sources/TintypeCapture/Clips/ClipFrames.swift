// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
package import TintypeModel
internal import TintypeSystem

/// Consecutive frames for a recording, encoded like those of streams; for one task, which must call ``close()``.
///
/// Opens the camera. With a ring, all frames are read from it, so that none is lost or repeated between past and
/// present.
package struct ClipFrames: Sendable {
    private let output: StillOutput
    private let request: StillRequest
    private let options: EncodingOptions
    /// Opens the camera, keeps it open, and fails when the camera does; with a ring, only its first frame is used.
    private let frames: FrameSubscription
    /// The frame that ``frames`` has already delivered; nil with a ring.
    private var first: EncodedImage?
    private let ring: FrameRing?
    private var reader: FrameRing.Reader?
    /// Number of frames since the first one that are damaged, or were dropped because encoding or the task was behind.
    package private(set) var lost = 0

    /// Waits for a frame as a still does; starts with the frame exposed at `start`, as far as the ring reaches back, or
    /// the first settled one of a camera that was closed.
    package init(
        _ session: CaptureSession,
        _ request: StillRequest,
        from start: MonotonicTime,
        ifStopped stops: Int? = nil
    ) async throws(Problem) {
        let now = session.clock.now
        (output, self.request, ring) = (StillOutput(session: session), request, session.ring)
        let wasOpen = ring?.reach != nil
        options = session.context.encoder.options(for: request, isStreamed: true)
        var criteria = output.criteria(of: request, as: options, at: now, ifStopped: stops)
        (criteria.fresh, criteria.count, criteria.allowsGaps) = (.next, nil, false)
        try output.refuseIfHopeless(criteria)
        frames = session.frames(criteria, in: try session.dispatcher.limiter.enter())
        do throws(Problem) {
            let image = try await output.frame(of: frames, for: request, until: now + request.deadline).image
            let start = wasOpen ? start : image.stamp.exposureStart
            reader = ring?.reader(from: start, mayStartLater: true)
            if ring == nil {
                first = image
            } else {
                (criteria.nth, criteria.settle) = (.max, .never)
                session.dispatcher.renew(frames, criteria)
            }
        } catch {
            frames.close(isGone: Task.isCancelled)
            throw error
        }
    }

    /// Waits for the next frame until `moment`, nil on timeout; throws the problem of a camera that fails.
    package mutating func next(until moment: MonotonicTime) async throws(Problem) -> EncodedImage? {
        guard let ring, var reader else { return try await nextDelivery(until: moment) }
        defer { self.reader = reader }
        while !Task.isCancelled {
            switch ring.next(&reader) {
            case .picture(let picture, let missing):
                lost += missing
                if let image = await image(of: picture) { return image }
                // A render that was abandoned is no damage.
                if !Task.isCancelled { lost += 1 }
            case .wait(let reply):
                _ = try await nextDelivery(until: output.clock.now)
                guard output.clock.now < moment else { return nil }
                _ = await reply.wait(until: moment)
            // The ring was cleared, as after a suspend.
            case .short, .end:
                _ = try await nextDelivery(until: output.clock.now)
                ring.close(reader)
                reader = ring.reader(from: output.clock.now, mayStartLater: true) ?? reader
            }
        }
        throw .requestAbandoned
    }

    /// Nil for a damaged picture.
    private func image(of picture: RingPicture) async -> EncodedImage? {
        let reply = Reply<EncodingResult>(clock: output.clock)
        let frame = Frame(picture, faults: output.session.knownFaults)
        output.context.encoder.threads.render(frame, as: options, mayCopyHere: true) { reply.resolve(.success($0)) }
        let result = await reply.wait(until: output.clock.now + request.deadline)
        return try? result?.get().get()
    }

    private mutating func nextDelivery(until moment: MonotonicTime) async throws(Problem) -> EncodedImage? {
        if let image = first.take() { return image }
        switch await frames.next(until: moment) {
        case .frame(let delivery):
            let passed = delivery.skipped.filter { ![.stale, .undated, .unsettled].contains($0.key) }
            lost += passed.values.reduce(0, +)
            return delivery.image
        case .failed(let problem): throw problem
        case .end: throw .requestAbandoned
        case nil: return nil
        }
    }

    package func close() {
        if let reader { ring?.close(reader) }
        frames.close(isGone: Task.isCancelled)
    }
}
