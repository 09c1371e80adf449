// SPDX-License-Identifier: Apache-2.0
internal import TintypeCapture
internal import TintypeDevice
internal import TintypeFrames
internal import TintypeModel

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
        wasOpen = snapshot.state.isStreaming
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
        // It is being tried again.
        if problem.code == .cameraFault, now.state.name == .interrupted { return true }
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
        var examination = Examination(
            camera: status.name,
            identity: status.identity ?? now.identity,
            authorization: status.authorization
        )
        examination.frames.captured = after.captured - before.captured
        examination.frames.flagged = after.flagged - before.flagged
        examination.frames.short = after.short - before.short
        examination.frames.sequenceGaps = after.sequenceGaps - before.sequenceGaps
        examination.frames.interrupted = after.interrupted - before.interrupted
        examination.frames.rate = rate
        examination.pictures = pictures
        // Those that were no picture at all are told by the session, which hands none of them out.
        examination.pictures.corrupt += Int(after.corrupt - before.corrupt)
        let opening = after.opened > before.opened ? now.opening?.took : wasOpen ? .zero : nil
        if opening != nil { examination.format = now.format }
        examination.shutterClosed = now.controls?.isShutterClosed
        examination.tookMs = Milliseconds(moment - began)
        examination.phasesMs = ExaminationPhases(open: opening, firstFrame: firstFrame)
        examination.problem = failure ?? silence(of: status.name, now, at: moment)
        return examination
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
            remedy: "Unplug the camera and plug it in again, and see the kernel's log (sudo journalctl -k).",
            retryAfter: .seconds(1)
        )
    }
}
