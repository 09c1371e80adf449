// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing
import TintypeDevice
import TintypeModel

@testable import TintypeCapture

struct RecoveryPlanTests {
    private static let start = MonotonicTime(nanoseconds: 10_000_000_000)
    private let start = Self.start
    private let broken = DeviceError.system(operation: "VIDIOC_DQBUF", path: "/dev/video0", errno: EIO)
    private let gone = DeviceError.disconnected(path: "/dev/video0", operation: "VIDIOC_DQBUF")
    private let busy = DeviceError.busy(path: "/dev/video0", operation: "VIDIOC_STREAMON")
    private let denied = DeviceError.denied(path: "/dev/video0")
    private let dark = DeviceError.noSignal(path: "/dev/video0", input: "HDMI", fault: .noSignal)

    /// A failing camera; a class because expectations cannot mutate a value.
    private final class Camera {
        var recovery = Recovery()

        func fails(
            _ error: DeviceError,
            brokeStream: Bool = true,
            isJustMade: Bool = false,
            awaitsSignal: Bool = false,
            after time: Duration = .zero
        ) -> Recovery.Plan {
            recovery.plan(
                after: error,
                brokeStream: brokeStream,
                isJustMade: isJustMade,
                awaitsSignal: awaitsSignal,
                now: RecoveryPlanTests.start + time,
                jitter: 0
            )
        }

        func isCounted(_ error: DeviceError) -> Bool { recovery.openingFailed(error) }
        func recovers() -> Outage? { recovery.goodFrameCame() }
        func sourceChanges(_ now: MonotonicTime) -> MonotonicTime { recovery.sourceChanged(now: now) }
    }

    @Test func `retry delays double from 250 ms to 10 s`() {
        let camera = Camera()
        let delays = (0..<8).map { _ in camera.fails(busy).delay }
        #expect(delays == [250, 500, 1000, 2000, 4000, 8000, 10000, 10000].map { .milliseconds($0) })
        camera.recovery.beginAgain()
        #expect(camera.fails(busy).delay == .milliseconds(250))
        #expect(camera.recovers() != nil)
        #expect(camera.fails(busy).delay == .milliseconds(250))
    }

    @Test func `jitter shortens a retry delay by up to a fifth`() {
        var schedule = RetrySchedule()
        #expect(schedule.next(jitter: 1) == .milliseconds(200))
        for _ in 0..<100 { #expect((.milliseconds(200)...(.seconds(10))).contains(schedule.next())) }
    }

    @Test func `clients keep waiting through brief failures`() {
        let streaming = Camera()
        #expect(streaming.fails(gone).keepsWaiting)
        #expect(streaming.fails(gone, after: .milliseconds(999)).keepsWaiting)
        #expect(!streaming.fails(gone, after: .seconds(1)).keepsWaiting)
        #expect(!Camera().fails(gone, brokeStream: false).keepsWaiting)
        let hiccup = Camera()
        #expect((0..<3).map { _ in hiccup.fails(broken, brokeStream: false).keepsWaiting } == [true, true, false])
        #expect(!Camera().fails(busy).keepsWaiting)
        // A device held by a closing session of this process is free soon.
        let sibling = Camera()
        let ours = DeviceError.busy(path: "/dev/video0", operation: "VIDIOC_S_FMT", by: "yard")
        #expect((0..<3).map { _ in sibling.fails(ours, brokeStream: false).keepsWaiting } == [true, true, false])
        #expect(Camera().fails(.damaged(path: "/dev/video0"), after: .seconds(9)).keepsWaiting)
    }

    @Test func `each kind of failure is new once per outage`() {
        let camera = Camera()
        #expect(camera.fails(busy).isNew)
        #expect(!camera.fails(busy).isNew)
        #expect(camera.fails(gone).isNew)
        #expect(camera.recovery.lastReason == gone.problem)
        #expect(camera.recovers()?.failures == 3)
        #expect(camera.recovery.lastReason == nil && camera.recovery.outage == nil)
        #expect(camera.recovers() == nil)
        #expect(camera.fails(busy).isNew)
    }

    @Test func `an unplugged camera is new once, however its absence shows`() {
        let camera = Camera()
        #expect(camera.fails(gone).isNew)
        let unmatched = Problem(.deviceLost, "No camera matches “it”.", remedy: "Plug it in.")
        for error in [DeviceError.absent(path: "/dev/video0"), .unresolved(unmatched), gone] {
            #expect(!camera.fails(error).isNew)
        }
        // A silent camera is there, and an ambiguous match is no absence.
        #expect(camera.fails(.silent(path: "/dev/video0", isFirst: false)).isNew)
        let ambiguous = Problem(.cameraAmbiguous, "Two cameras match “it”.", remedy: "Add a key.")
        #expect(camera.fails(.unresolved(ambiguous)).isNew)
    }

    @Test func `a permission error on a new node is retried after 100 ms`() {
        let camera = Camera()
        let early = camera.fails(denied, brokeStream: false, isJustMade: true)
        #expect(early.delay == .milliseconds(100) && early.keepsWaiting && !early.isNew)
        #expect(early.reason.code == .deviceLost)
        #expect(camera.recovery.outage == nil && camera.recovery.lastReason == early.reason)
        #expect(camera.fails(denied, brokeStream: false).reason.code == .cameraDenied)
    }

    @Test func `a source change shortens the 1 s polling for a signal`() {
        let camera = Camera()
        let usual = camera.fails(dark)
        #expect(usual.delay == .seconds(1) && !usual.keepsWaiting)
        #expect(camera.sourceChanges(start) == start)
        let switching = camera.fails(dark, after: .seconds(2) - .nanoseconds(1))
        #expect(switching.delay == .milliseconds(100) && switching.keepsWaiting)
        #expect(camera.fails(dark, after: .seconds(2)).delay == .seconds(1))
    }

    @Test func `a source change shortens the 10 s polling of a device with signal events`() {
        let camera = Camera()
        #expect(camera.fails(dark, awaitsSignal: true).delay == .seconds(10))
        #expect(camera.sourceChanges(start) == start)
        #expect(camera.fails(dark, awaitsSignal: true).delay == .milliseconds(100))
        #expect(camera.fails(dark, awaitsSignal: true, after: .seconds(2)).delay == .seconds(10))
    }

    @Test func `source changes are followed at most every 100 ms`() {
        let camera = Camera()
        #expect(camera.sourceChanges(start) == start)
        let soon = start + .milliseconds(99)
        #expect(camera.sourceChanges(soon) == soon + .milliseconds(100))
        let later = soon + .milliseconds(100)
        #expect(camera.sourceChanges(later) == later)
    }

    @Test func `openings that a limit of the machine refuses are not counted`() {
        let camera = Camera()
        #expect(camera.isCounted(broken) && camera.recovery.failedOpenings == 1)
        for (call, code) in [
            ("open", EMFILE), ("open", ENFILE), ("VIDIOC_REQBUFS", ENOMEM), ("pthread_create", EAGAIN),
        ] {
            let error = DeviceError.system(operation: call, path: "/dev/video0", errno: code)
            #expect(!camera.isCounted(error), "\(error)")
        }
        #expect(camera.recovery.failedOpenings == 1)
    }

    @Test func `consecutive suspends form one outage`() {
        let camera = Camera()
        camera.recovery.suspended(now: start)
        #expect(camera.recovery.outage?.brokeStream == true)
        camera.recovery.suspended(now: start + .seconds(1))
        #expect(camera.recovers()?.began == start)
    }
}
