// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeDevice
import TintypeModel

@testable import TintypeCapture
@testable import TintypeStills

struct ExaminationWatchTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000)
    private static let status = CameraStatus(name: "front", identity: nil, authorization: .authorized, state: .off)

    private func problem(
        _ state: SessionState,
        captured: UInt64 = 0,
        request: ExaminationRequest = ExaminationRequest()
    ) -> Problem? {
        let watch = ExaminationWatch(request, SessionSnapshot(), at: start)
        var now = SessionSnapshot()
        now.state = state
        now.counters.captured = captured
        return watch.examination(of: Self.status, now, at: start + .seconds(1)).problem
    }

    private func interrupted(_ error: DeviceError) -> SessionState {
        .interrupted(reason: error.problem, since: .now(), nextAttempt: .now())
    }

    @Test func `a node that is tried again until udev has been there is told by what it fails with`() {
        let denied = DeviceError.denied(path: "/dev/video0")
        #expect(problem(interrupted(denied)) == denied.problem)
    }

    @Test func `a stream that fell silent gives no frames, whatever the system called it`() {
        let silence = problem(interrupted(.silent(path: "/dev/video0", isFirst: false)))
        #expect(silence?.code == .deadlineExceeded)
        #expect(silence?.detail.hasPrefix("The camera front gave no frame for ") == true)
        #expect(silence?.detail.hasSuffix("waiting for a frame of /dev/video0: none has come any more.") == true)
    }

    @Test func `what came in full, or came a moment ago, is no silence`() {
        let denied = interrupted(.denied(path: "/dev/video0"))
        #expect(problem(denied, captured: 30) == nil)
        #expect(problem(denied, captured: 29) == nil)
        #expect(problem(.running, captured: 2, request: ExaminationRequest(frames: 2)) == nil)
    }

    @Test func `what was counted before does not count`() {
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
        now.counters.sequenceGaps = 3
        now.counters.corrupt = 6
        let examination = watch.examination(of: Self.status, now, at: start + .seconds(1))
        #expect((examination.frames.captured, examination.frames.flagged) == (30, 1))
        #expect((examination.frames.short, examination.frames.sequenceGaps) == (2, 3))
        #expect(examination.pictures.corrupt == 1)
        #expect(examination.phasesMs.open?.duration == .zero)
    }

    @Test func `frames of two streams make no rate`() throws {
        var watch = ExaminationWatch(ExaminationRequest(), SessionSnapshot(), at: start)
        var now = SessionSnapshot()
        let note = { (opened: UInt64, ordinal: UInt64, milliseconds: Int) in
            now.counters.opened = opened
            let moment = start + .milliseconds(milliseconds)
            now.newest = FrameStamp(
                sequence: 0,
                ordinal: ordinal,
                exposureStart: moment,
                uncertainty: .zero,
                source: .dequeue,
                dequeued: moment
            )
            watch.recordStill(now, at: moment)
        }
        note(1, 1, 0)
        #expect(watch.examination(of: Self.status, now, at: start + .seconds(1)).frames.rate == nil)
        note(1, 11, 500)
        #expect(watch.examination(of: Self.status, now, at: start + .seconds(1)).frames.rate == 20)
        note(2, 40, 1000)
        #expect(watch.examination(of: Self.status, now, at: start + .seconds(1)).frames.rate == nil)
        note(2, 41, 1100)
        #expect(watch.examination(of: Self.status, now, at: start + .seconds(1)).frames.rate == 10)
    }
}
