// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeImaging
package import TintypeModel
internal import TintypeThreads

/// Watches one camera for a few frames, as a client that takes stills sees it, and tells what came.
///
/// It takes stills one after the other and decodes them on a thread that lives as long as the examination; nothing of
/// it is there while no client examines.
package struct ExaminationOutput: Sendable {
    private let session: CaptureSession
    private var clock: any MonotonicClock { session.clock }
    /// How long one still is waited for before the frames are counted again: where all are damaged, none comes.
    private static let step = Duration.milliseconds(500)

    /// The examinations of `session`'s camera.
    package init(session: CaptureSession) { self.session = session }

    /// Watches until `request.frames` have come out of the driver, until its deadline, or until a failure that waiting
    /// does not mend; the camera is open until then, whatever its warmth, and clients that take stills meanwhile get
    /// them.
    ///
    /// Suspends, never blocks; never throws, for a failure is what it is asked for.
    ///
    /// - Parameters:
    ///   - request: how long to watch.
    ///   - status: what is known of the camera before.
    ///   - quality: the JPEG quality of the stills; that of the camera, so that others share their encode.
    /// - Returns: what was seen.
    package func examine(_ request: ExaminationRequest, of status: CameraStatus, quality: Int) async -> Examination {
        var watch = ExaminationWatch(request, session.hub.snapshot, at: clock.now)
        let stops = session.hub.stops
        session.hub.beginWatch()
        defer { session.hub.endWatch(isGone: Task.isCancelled) }
        await follow(&watch, request, quality, stops)
        return watch.examination(of: status, session.hub.snapshot, at: clock.now)
    }

    /// Takes stills until enough frames have come, and until the camera is stopped: a further still would open it
    /// again.
    private func follow(
        _ watch: inout ExaminationWatch,
        _ request: ExaminationRequest,
        _ quality: Int,
        _ stops: Int
    ) async {
        let decoder = WorkerThreads(name: "tt-examine", count: 1) { ExaminationDecoder() }
        let stills = StillOutput(session: session)
        let deadline = watch.began + request.deadline
        while !watch.isComplete(session.hub.snapshot) {
            let now = clock.now
            guard now < deadline else { return }
            watch.failure = session.hub.stop(since: stops)
            if watch.failure != nil { return }
            let wanted = StillRequest(
                fresh: .next,
                deadline: min(deadline - now, Self.step),
                settle: .never,
                // A picture with a fault in its data is to be counted, not waited over.
                integrity: .tolerant,
                rendering: StillRendering(quality: quality),
                keep: false
            )
            let still: Still
            do throws(Problem) {
                still = try await stills.take(wanted, after: nil, requestedAt: clock.now, ifStopped: stops).still
            } catch {
                guard watch.goesOn(after: error, session.hub.snapshot, at: clock.now), !Task.isCancelled else { return }
                continue
            }
            watch.recordStill(session.hub.snapshot, at: clock.now)
            do throws(Problem) {
                watch.pictures = try await decoder.perform(until: deadline, by: clock, otherwise: Self.undecoded) {
                    $0.add(still.picture)
                }
            } catch {
                // A frame that has come, and that was not decoded in time, is no trouble of the camera's.
                return
            }
        }
    }

    private static let undecoded = Problem(
        .deadlineExceeded,
        "The pictures were not decoded in time.",
        remedy: "Allow more time (deadlineMs)."
    )
}

/// Decodes the pictures of one examination.
struct ExaminationDecoder: ~Copyable {
    private var statistics = LumaStatistics()
    private var decoder = DecoderOnDemand()

    /// Adds a picture and returns what is known of all so far.
    mutating func add(_ picture: [UInt8]) -> PictureTally {
        do throws(ImagingError) {
            statistics.add(
                try decoder.use { (decoder) throws(ImagingError) in try decoder.decodeLuma(of: picture).luma }
            )
        } catch {
            statistics.addCorrupt()
        }
        return statistics.tally
    }
}

/// One examination on its way: what was so before it, and what has happened since.
struct ExaminationWatch: Sendable {
    let began: MonotonicTime
    /// What the pictures show.
    var pictures = PictureTally()
    private let request: ExaminationRequest
    private let before: CameraCounters
    private let wasOpen: Bool
    /// The failure that ended it.
    var failure: Problem?
    private var captured: UInt64
    /// When ``captured`` last grew.
    private var lastArrival: MonotonicTime
    private var firstFrame: Duration?
    /// The first and the newest good frame of the stream that runs now.
    private var first: FrameStamp?
    private var newest: FrameStamp?
    /// Which stream that is.
    private var opened: UInt64?

    init(_ request: ExaminationRequest, _ snapshot: SessionSnapshot, at began: MonotonicTime) {
        self.began = began
        self.request = request
        before = snapshot.counters
        captured = before.captured
        lastArrival = began
        wasOpen = [.settling, .running].contains(snapshot.state.name)
    }

    /// Whether as many frames have come as were asked for.
    func isComplete(_ now: SessionSnapshot) -> Bool {
        now.counters.captured - before.captured >= UInt64(request.frames)
    }

    /// Records that a still was taken.
    mutating func recordStill(_ now: SessionSnapshot, at moment: MonotonicTime) {
        recordArrivals(now, at: moment)
        guard let stamp = now.newest else { return }
        firstFrame = firstFrame ?? (stamp.dequeued - began)
        // Ordinals of another stream say nothing about this one.
        if opened != now.counters.opened { first = stamp }
        opened = now.counters.opened
        newest = stamp
    }

    /// Records that no still could be taken, and returns whether waiting may mend that.
    mutating func goesOn(after problem: Problem, _ now: SessionSnapshot, at moment: MonotonicTime) -> Bool {
        recordArrivals(now, at: moment)
        if [.deadlineExceeded, .corruptOnly].contains(problem.code) { return true }
        failure = problem
        return false
    }

    private mutating func recordArrivals(_ now: SessionSnapshot, at moment: MonotonicTime) {
        guard now.counters.captured != captured else { return }
        captured = now.counters.captured
        lastArrival = moment
    }

    /// What has happened.
    func examination(of status: CameraStatus, _ now: SessionSnapshot, at moment: MonotonicTime) -> Examination {
        let after = now.counters
        var frames = FrameTally()
        frames.captured = after.captured - before.captured
        frames.flagged = after.flagged - before.flagged
        frames.short = after.short - before.short
        frames.sequenceGaps = after.sequenceGaps - before.sequenceGaps
        frames.interrupted = after.interrupted - before.interrupted
        frames.rate = rate
        var pictures = pictures
        // Those that were no picture at all are told by the session, which hands none of them out.
        pictures.corrupt += Int(after.corrupt - before.corrupt)
        let opening = after.opened > before.opened ? now.opening?.took : wasOpen ? .zero : nil
        return Examination(
            camera: status.name,
            identity: status.identity ?? now.identity,
            authorization: status.authorization,
            format: opening == nil ? nil : now.format,
            shutterClosed: now.controls?.isShutterClosed,
            took: moment - began,
            phases: ExaminationPhases(open: opening, firstFrame: firstFrame),
            frames: frames,
            pictures: pictures,
            problem: failure ?? silence(of: status.name, now, at: moment)
        )
    }

    /// Frames a second from the first good frame to the newest, damaged ones between them counted.
    private var rate: Double? {
        guard let first, let newest, newest.ordinal > first.ordinal else { return nil }
        let seconds = (newest.dequeued - first.dequeued) / .seconds(1)
        return seconds > 0 ? (Double(newest.ordinal - first.ordinal) / seconds * 100).rounded() / 100 : nil
    }

    /// The problem of a camera that has given no frame, or no further one; nil if it was only slow.
    private func silence(of camera: String, _ now: SessionSnapshot, at moment: MonotonicTime) -> Problem? {
        guard !isComplete(now) else { return nil }
        let silent = moment - lastArrival
        let hasFrames = now.counters.captured > before.captured
        // A node that udev has not been at yet is tried again and again: what that fails with is the cause.
        if !hasFrames, let reason = now.state.reason, reason.code != .deviceLost { return reason }
        guard !hasFrames || silent > max(.seconds(1), (now.format?.interval?.duration ?? .zero) * 3) else { return nil }
        let reason = now.state.reason.map { " " + $0.detail } ?? ""
        return Problem(
            .deadlineExceeded,
            "The camera \(camera) gave no \(hasFrames ? "further " : "")frame for \(SpokenDuration.text(silent)).\(reason)",
            remedy: "Unplug the camera and plug it in again, and see the kernel's log (journalctl -k).",
            retryAfter: .seconds(1)
        )
    }
}
