// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeDevice
import TintypeModel

@testable import TintypeCapture

struct ExaminationWatchTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000)
    private let limit = CameraPace.least

    private func problem(
        _ state: SessionState,
        captured: UInt64 = 0,
        opened: UInt64 = 0,
        request: ExaminationRequest = ExaminationRequest()
    ) -> Problem? {
        let watch = ExaminationWatch(request, SessionSnapshot(), at: start)
        var now = SessionSnapshot()
        now.state = state
        now.counters.captured = captured
        now.counters.opened = opened
        return watch.examination(of: "front", now, silenceLimit: limit, at: start + .seconds(1)).problem
    }

    private func interrupted(_ error: DeviceError) -> SessionState {
        .interrupted(reason: error.problem, since: .now(), nextAttempt: .now())
    }

    @Test func `reports the error of an interrupted camera`() {
        let denied = DeviceError.denied(path: "/dev/video0")
        #expect(problem(interrupted(denied)) == denied.problem)
    }

    @Test func `reports a silent stream as missing frames`() {
        let silence = problem(interrupted(.silent(path: "/dev/video0", isFirst: false)))
        #expect(silence?.code == .deadlineExceeded)
        #expect(silence?.detail.hasPrefix("The camera front gave no frame for ") == true)
        #expect(silence?.detail.hasSuffix("waiting for a frame of /dev/video0: none has come any more.") == true)
        let first = interrupted(.silent(path: "/dev/video0", isFirst: true))
        #expect(problem(first, opened: 1)?.code == .deadlineExceeded)
        #expect(problem(first)?.code == .cameraFault)
    }

    @Test func `an interruption after received frames is no problem`() {
        let denied = interrupted(.denied(path: "/dev/video0"))
        #expect(problem(denied, captured: 30) == nil)
        #expect(problem(denied, captured: 29) == nil)
        #expect(problem(.running, captured: 2, request: ExaminationRequest(frames: 2)) == nil)
    }

    @Test(arguments: [(0, 18, nil), (1, 18, nil), (0, 2, "gave no frame"), (1, 2, "gave no further frame")])
    func `judges the silence of a running stream by its limit`(_ more: UInt64, _ seconds: Int, _ words: String?) {
        var before = SessionSnapshot()
        (before.counters.captured, before.counters.opened, before.state) = (100, 1, .running)
        let watch = ExaminationWatch(ExaminationRequest(), before, at: start)
        var now = before
        now.counters.captured += more
        let (limit, end) = (Duration.seconds(seconds), start + .seconds(5))
        let problem = watch.examination(of: "front", now, silenceLimit: limit, at: end).problem
        #expect((problem == nil) == (words == nil))
        if let words { #expect(problem?.detail == "The camera front \(words) for 5 s.") }
    }

    private static let configured: [(SilenceLimit, SilenceLimit, Bool)] = [
        (.auto, .auto, false), (.off, .auto, true), (.fixed(.seconds(60)), .auto, true),
        (.fixed(.seconds(3)), .auto, false), (.off, .fixed(.seconds(3)), false), (.auto, .fixed(.seconds(9)), true),
    ]

    @Test(arguments: configured)
    func `judges the silence before the first frame by the configuration`(
        _ stall: SilenceLimit,
        _ firstFrame: SilenceLimit,
        _ isAllowed: Bool
    ) {
        let watch = ExaminationWatch(ExaminationRequest(), SessionSnapshot(), at: start)
        var now = SessionSnapshot()
        (now.counters.opened, now.state) = (1, .settling)
        (now.configuration.stall, now.configuration.firstFrame) = (stall, firstFrame)
        let learned = Duration.seconds(15)
        let examination = watch.examination(of: "front", now, silenceLimit: learned, at: start + .seconds(5))
        #expect((examination.problem == nil) == isAllowed)
    }

    @Test func `counts only frames since the examination began`() {
        var before = SessionSnapshot()
        before.counters.captured = 100
        before.counters.flagged = 10
        before.counters.corrupt = 5
        before.counters.opened = 1
        before.state = .running
        let watch = ExaminationWatch(ExaminationRequest(), before, at: start)
        var now = before
        now.counters.captured = 130
        now.counters.flagged = 11
        now.counters.short = 2
        now.counters.corrupt = 6
        let examination = watch.examination(of: "front", now, silenceLimit: limit, at: start + .seconds(1))
        #expect((examination.frames.captured, examination.frames.flagged) == (30, 1))
        #expect(examination.frames.short == 2)
        #expect(examination.pictures.corrupt == 1)
    }
}
