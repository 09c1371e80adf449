// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

struct ExaminationWatch: Sendable {
    let began: MonotonicTime
    private let request: ExaminationRequest
    private let before: CameraCounters
    private let wasOpen: Bool
    var failure: Problem?
    private var captured: UInt64
    /// Time at which ``captured`` last grew.
    private var lastArrival: MonotonicTime
    private var pictures = PictureTally()

    init(_ request: ExaminationRequest, _ snapshot: SessionSnapshot, at began: MonotonicTime) {
        self.began = began
        self.request = request
        before = snapshot.counters
        captured = before.captured
        lastArrival = began
        wasOpen = snapshot.state.isStreaming
    }

    func isComplete(_ now: SessionSnapshot) -> Bool {
        now.counters.captured - before.captured >= UInt64(request.frames)
    }

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

    func examination(of camera: String, _ now: SessionSnapshot, at moment: MonotonicTime) -> Examination {
        let after = now.counters
        var examination = Examination(camera: camera)
        examination.frames.captured = after.captured - before.captured
        examination.frames.flagged = after.flagged - before.flagged
        examination.frames.short = after.short - before.short
        examination.pictures = pictures
        // Damaged pictures are counted by the session, which delivers none of them.
        examination.pictures.corrupt = Int(after.corrupt - before.corrupt)
        examination.shutterClosed = now.controls?.isShutterClosed
        if let failure, !isSilence(failure, now) {
            examination.problem = failure
        } else {
            examination.problem = silence(of: camera, now, at: moment)
        }
        return examination
    }

    /// True for the failure of a stream that has started but given no frame: it is slow to start, or silent.
    private func isSilence(_ problem: Problem, _ now: SessionSnapshot) -> Bool {
        let hasStarted = wasOpen || now.counters.opened > before.opened
        return problem.code == .cameraFault && hasStarted && now.counters.captured == before.captured
    }

    /// Problem of a camera that has given no frame, or no further one; nil if it was only slow.
    private func silence(of camera: String, _ now: SessionSnapshot, at moment: MonotonicTime) -> Problem? {
        guard !isComplete(now) else { return nil }
        let silent = moment - lastArrival
        let hasFrames = now.counters.captured > before.captured
        // A device node not yet set up by udev is retried, and the error of that is the cause.
        if !hasFrames, let reason = now.state.reason, reason.code != .deviceLost, !isSilence(reason, now) {
            return reason
        }
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
