// SPDX-License-Identifier: Apache-2.0
package import TintypeCapture
internal import TintypeDevice
internal import TintypeFrames
internal import TintypeImaging
package import TintypeModel
internal import TintypeThreads

/// Watches one camera while a light flashes before it, and measures the lead of its time stamps.
///
/// It takes every frame, small, and keeps its brightness until it is told when the light changed. Nothing of it is there
/// while no client calibrates.
package struct CalibrationOutput: Sendable {
    private let session: CaptureSession
    private var clock: any MonotonicClock { session.clock }
    /// The width to which pictures are scaled before they are looked at, in pixels.
    private static let width = 160
    /// The most frames that are kept, of the newest: 2 MB.
    private static let mostFrames = 20_000
    /// A picture that takes longer to decode is left out.
    private static let longestDecode = Duration.seconds(1)
    /// How long the frames of the last flash are waited for.
    private static let afterwards = Duration.seconds(FlashSightings.longestDelay + 0.5)

    /// The calibrations of `session`'s camera.
    package init(session: CaptureSession) { self.session = session }

    /// Watches until `desk` was told when the light changed, and until the frames of the last change have come.
    ///
    /// Suspends, never blocks. Throws `too-many-requests` where a calibration of this camera runs, `deadline-exceeded` where
    /// nothing was told in time, `flash-not-seen`, and why there are no frames. The camera is open meanwhile, and
    /// other clients get their pictures.
    package func measure(_ request: CalibrationRequest, _ desk: FlashDesk) async throws(Problem) -> Calibration {
        let place = try session.hub.room.enter()
        defer { withExtendedLifetime(place) {} }
        try desk.open(for: session.name, at: clock.now)
        defer { desk.close() }
        let still = StillRequest(
            fresh: .next,
            settle: .never,
            integrity: .tolerant,
            rendering: StillRendering(quality: 90, width: Self.width),
            keep: false
        )
        let feed = session.frames(
            Demand.Plan(allowsGaps: true),
            FrameWish(fresh: .next, rendition: session.rendition(for: still), requestedAt: clock.now),
            in: place
        )
        defer { feed.close(isGone: Task.isCancelled) }
        return try await watch(feed, desk, until: clock.now + request.deadline)
    }

    private func watch(
        _ feed: FrameFeed,
        _ desk: FlashDesk,
        until deadline: MonotonicTime
    ) async throws(Problem) -> Calibration {
        let decoder = WorkerThreads(name: "tt-calibrate", count: 1) { JPEGDecoder() }
        var frames: [BrightFrame] = []
        var source = TimestampSource.dequeue
        var end = deadline
        while true {
            let moments = desk.moments
            if let last = moments.last { end = min(last, deadline) + Self.afterwards }
            if let stuck = session.hopelessProblem { throw stuck }
            guard clock.now < end else { return try calibration(frames, moments, source) }
            // Shortly, for the moments are told in between.
            switch await feed.next(until: min(end, clock.now + .milliseconds(100))) {
            case .frame(let delivery):
                let stamp = delivery.frame.stamp
                let jpeg = delivery.frame.picture.jpeg
                let limit = clock.now + Self.longestDecode
                let decoded = try? await decoder.perform(until: limit, by: clock, otherwise: Self.undecoded) {
                    decoder in
                    BrightFrame(jpeg, stamp.driverTime, &decoder)
                }
                // A picture that is damaged, or decoded too late, says nothing.
                if let bright = decoded ?? nil, frames.last.map({ bright.stamp > $0.stamp }) ?? true {
                    frames.append(bright)
                }
                if frames.count > Self.mostFrames { frames.removeFirst(Self.mostFrames / 2) }
                source = stamp.source
            case .gap, nil: continue
            case .end: throw Self.undecoded
            case .failed(let problem): throw problem
            }
        }
    }

    private func calibration(
        _ frames: [BrightFrame],
        _ moments: [MonotonicTime],
        _ source: TimestampSource
    ) throws(Problem) -> Calibration {
        let snapshot = session.hub.snapshot
        guard !moments.isEmpty, let format = snapshot.format, !frames.isEmpty else {
            throw session.stuckProblem ?? Self.untold(session.name, frames.count)
        }
        guard let estimate = LeadEstimator.estimate(frames, moments) else {
            throw Self.unseen(session.name, moments.count)
        }
        return Calibration(
            camera: session.name,
            card: snapshot.identity?.card ?? "",
            format: format,
            timestampSource: source,
            lead: estimate.lead,
            spread: estimate.spread,
            flashes: moments.count,
            seen: estimate.seen,
            exposure: estimate.exposure,
            readout: estimate.readout,
            measuredAt: .now()
        )
    }

    private static let undecoded = Problem(
        .deadlineExceeded,
        "The pictures were not decoded in time.",
        remedy: "Try again while the machine has less to do."
    )

    private static func untold(_ camera: String, _ frames: Int) -> Problem {
        Problem(
            .deadlineExceeded,
            frames == 0
                ? "The camera \(camera) gave no frame in time." : "The moments of the flashes were not told in time.",
            remedy: frames == 0
                ? "See what is wrong with it (tintype doctor \(camera))."
                : "Tell them by POST /v1/cameras/\(camera)/calibration/flashes, or allow more time (deadlineMs)."
        )
    }

    private static func unseen(_ camera: String, _ count: Int) -> Problem {
        Problem(
            .flashNotSeen,
            "The pictures of the camera \(camera) do not change with the \(count) flashes.",
            remedy: "Point the camera at the light so that it fills the picture, darken the room, and try again."
        )
    }
}

extension BrightFrame {
    /// A frame by its picture; nil where that cannot be decoded.
    fileprivate init?(_ jpeg: [UInt8], _ stamp: MonotonicTime, _ decoder: inout JPEGDecoder) {
        guard let (size, luma) = try? decoder.decodeLuma(jpeg.rawSpan, strict: false) else { return nil }
        self.init(stamp: stamp, luma: luma, width: size.width)
    }
}
