// SPDX-License-Identifier: Apache-2.0
package import TintypeModel
internal import TintypeSystem

/// Examines one camera by consecutive stills, as a client sees it; concurrent examinations share frames and encodes.
package struct ExaminationOutput: Sendable {
    private let session: CaptureSession
    private var clock: any MonotonicClock { session.clock }
    /// Timeout of one still, after which the frames are counted again: no still comes if all frames are damaged.
    private static let step = Duration.milliseconds(500)

    package init(session: CaptureSession) { self.session = session }

    /// Ends after `request.frames`, at the deadline or with a permanent failure, which is part of the result; other
    /// clients can take stills meanwhile.
    package func examine(_ request: ExaminationRequest) async -> Examination {
        var watch = ExaminationWatch(request, session.published.snapshot, at: clock.now)
        let stops = session.dispatcher.stops.count
        session.dispatcher.beginWatch()
        defer { session.dispatcher.endWatch(isGone: Task.isCancelled) }
        await follow(&watch, request, stops)
        let limit = session.dispatcher.limits.expectedSilence
        return watch.examination(of: session.name, session.published.snapshot, silenceLimit: limit, at: clock.now)
    }

    /// Takes stills until enough frames have arrived or the camera is stopped; another still would reopen it.
    private func follow(_ watch: inout ExaminationWatch, _ request: ExaminationRequest, _ stops: Int) async {
        let stills = StillOutput(session: session)
        let deadline = watch.began + request.deadline
        var last: FrameKey?
        while !watch.isComplete(session.published.snapshot) {
            let now = clock.now
            guard now < deadline else { return }
            watch.failure = session.dispatcher.stops.problem(since: stops)
            if watch.failure != nil { return }
            let wanted = StillRequest(
                fresh: .next,
                deadline: min(deadline - now, Self.step),
                settle: .never,
                // A fault that all pictures of this camera have is not damage.
                integrity: session.knownFaults.tolerance?.allSatisfy(\.quirk.isRepairable) ?? true
                    ? .strict : .tolerant,
                keep: false
            )
            do throws(Problem) {
                let (still, key) = try await stills.take(wanted, after: last, requestedAt: now, ifStopped: stops)
                last = key
                watch.record(still.record.appearance ?? [], session.published.snapshot, at: clock.now)
            } catch {
                let goesOn = watch.goesOn(after: error, session.published.snapshot, at: clock.now)
                guard goesOn, !Task.isCancelled else { return }
            }
        }
    }
}

struct ExaminationWatch: Sendable {
    let began: MonotonicTime
    private let request: ExaminationRequest
    private let before: CameraCounters
    private let wasOpen: Bool
    var failure: Problem?
    private var captured: UInt64
    private var lastArrival: MonotonicTime
    private var pictures = PictureTally()

    init(_ request: ExaminationRequest, _ snapshot: SessionSnapshot, at began: MonotonicTime) {
        (self.began, self.request, lastArrival) = (began, request, began)
        before = snapshot.counters
        captured = before.captured
        wasOpen = snapshot.state.isStreaming
    }

    func isComplete(_ now: SessionSnapshot) -> Bool { now.counters.captured - before.captured >= request.frames }

    mutating func record(_ appearance: [ImageDefect], _ now: SessionSnapshot, at moment: MonotonicTime) {
        recordArrivals(now, at: moment)
        pictures.examined += 1
        if appearance.contains(.black) { pictures.black += 1 }
        if appearance.contains(.frozen) { pictures.frozen += 1 }
    }

    /// Records that no still could be taken; returns true if a retry may succeed.
    mutating func goesOn(after problem: Problem, _ now: SessionSnapshot, at moment: MonotonicTime) -> Bool {
        recordArrivals(now, at: moment)
        if [.deadlineExceeded, .corruptOnly].contains(problem.code) { return true }
        // The session is retrying.
        if problem.code == .cameraFault, now.state.name == .interrupted { return true }
        failure = problem
        return false
    }

    private mutating func recordArrivals(_ now: SessionSnapshot, at moment: MonotonicTime) {
        guard now.counters.captured != captured else { return }
        captured = now.counters.captured
        lastArrival = moment
    }

    /// `limit` is that between the frames of the current stream.
    func examination(
        of camera: String,
        _ now: SessionSnapshot,
        silenceLimit limit: Duration,
        at moment: MonotonicTime
    ) -> Examination {
        let after = now.counters
        var examination = Examination(camera: camera)
        examination.frames.captured = after.captured - before.captured
        examination.frames.flagged = after.flagged - before.flagged
        examination.frames.short = after.short - before.short
        examination.pictures = pictures
        // Damaged pictures are counted by the session, which delivers none of them.
        examination.pictures.corrupt = Int(after.corrupt - before.corrupt)
        examination.shutterClosed = now.controls?.isShutterClosed
        let reported = failure.flatMap { isSilence($0, now) ? nil : $0 }
        examination.problem = reported ?? silence(of: camera, now, limit, at: moment)
        return examination
    }

    /// True for the failure of a stream that has started but given no frame: it is slow to start, or silent.
    private func isSilence(_ problem: Problem, _ now: SessionSnapshot) -> Bool {
        let hasStarted = wasOpen || now.counters.opened > before.opened
        return problem.code == .cameraFault && hasStarted && now.counters.captured == before.captured
    }

    /// Problem of a camera that has given no frame, or no further one; nil if its limits allow for the silence.
    private func silence(
        of camera: String,
        _ now: SessionSnapshot,
        _ limit: Duration,
        at moment: MonotonicTime
    ) -> Problem? {
        guard !isComplete(now) else { return nil }
        let silent = moment - lastArrival
        let hasFrames = now.counters.captured > before.captured
        // A device node not yet set up by udev is retried, and the error of that is the cause.
        if !hasFrames, let reason = now.state.reason, reason.code != .deviceLost, !isSilence(reason, now) {
            return reason
        }
        let isSameStream = wasOpen && now.counters.opened == before.opened && now.state.isStreaming
        let (first, between) = (now.configuration.firstFrame.duration, now.configuration.stall.duration)
        // Without a configured limit of the first frame, a camera that gives none in this time is not excused.
        guard silent > (hasFrames || isSameStream ? limit : first ?? between ?? .zero) else { return nil }
        let reason = now.state.reason.map { " " + $0.detail } ?? ""
        return Problem(
            .deadlineExceeded,
            "The camera \(camera) gave no \(hasFrames ? "further " : "")frame for \(SpokenDuration.text(silent)).\(reason)",
            remedy: "Unplug the camera and plug it in again, and see the kernel's log (sudo journalctl -k).",
            retryAfter: .seconds(1)
        )
    }
}
