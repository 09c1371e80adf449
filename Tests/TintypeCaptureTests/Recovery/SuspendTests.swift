// SPDX-License-Identifier: Apache-2.0
import Logging
import Synchronization
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    struct SuspendTests {
        /// Simulated time in suspend, advanced by the test.
        final class Sleep: Sendable {
            private let time = Mutex(Duration.seconds(7))
            @Sendable func total() -> Duration { time.withLock { $0 } }
            func add(_ more: Duration) { time.withLock { $0 += more } }
        }

        @Test(arguments: [Freshness.latest, .maxAge(.seconds(60)), .next, .request])
        func `a frame from before a suspend is never delivered`(_ fresh: Freshness) async throws {
            let sleep = Sleep()
            try await Stage.run("YUYV:256x64@2", warmth: .hot, clock: TestClock(slept: sleep.total)) { stage in
                _ = try await stage.take()
                sleep.add(.seconds(3600))
                let woken = TestClock().now
                let still = try await stage.take(fresh)
                #expect(try still.code().microseconds >= UInt64(woken.nanoseconds / 1000))
                #expect(stage.counters.opened == 2 && stage.log.mostOpen == 1)
                #expect(stage.counters.interrupted == 1)
                #expect(stage.messages.count(.notice, "suspended") == 1)
            }
        }

        @Test(arguments: [SilenceLimit.off, .fixed(.seconds(3600))])
        func `a suspend is noticed while the camera may be silent for longer`(_ stall: SilenceLimit) async throws {
            let sleep = Sleep()
            var configuration = SessionConfiguration(warmth: .hot)
            configuration.stall = stall
            let (pattern, clock) = ("YUYV:256x64@1,slow=900", TestClock(slept: sleep.total))
            try await Stage.run(pattern, configuration: configuration, clock: clock) { stage in
                #expect(await TestClock().reaches { stage.counters.opened == 1 })
                // All that is done after an opening is done.
                try await TestClock().sleep(for: .seconds(60))
                sleep.add(.seconds(3600))
                #expect(await TestClock().reaches { stage.counters.opened == 2 })
                #expect(stage.messages.count(.notice, "suspended") == 1)
            }
        }

        @Test func `waits for the camera to reappear after a suspend`() async throws {
            let sleep = Sleep()
            let pattern = "YUYV:256x64@50"
            try await Stage.run(pattern, "\(pattern),gone", pattern, clock: TestClock(slept: sleep.total)) { stage in
                _ = try await stage.take()
                sleep.add(.seconds(60))
                _ = try await stage.take().code()
                #expect(stage.log.openings == 3)
                #expect(stage.messages.count(.notice, "the camera is back") == 1)
            }
        }

        @Test func `a suspend while closed causes no extra opening`() async throws {
            let sleep = Sleep()
            try await Stage.run("YUYV:256x64@50", warmth: .cold, clock: TestClock(slept: sleep.total)) { stage in
                _ = try await stage.take()
                #expect(await stage.session.reaches(.off))
                sleep.add(.seconds(3600))
                _ = try await stage.take()
                #expect(stage.log.openings == 2)
                #expect(stage.messages.count(.notice, "suspended") == 0)
            }
        }

        /// Simulated time in suspend: an hour once the session has captured `frames` frames.
        private final class LateSleep: Sendable {
            private let session = Mutex<CaptureSession?>(nil)
            private let frames: UInt64
            init(after frames: UInt64) { self.frames = frames }
            func watch(_ session: CaptureSession) { self.session.withLock { $0 = session } }
            @Sendable func total() -> Duration {
                guard let dispatcher = session.withLock({ $0 })?.dispatcher else { return .zero }
                return dispatcher.published.snapshot.counters.captured >= frames ? .seconds(3600) : .zero
            }
        }

        @Test func `a poll error from before a suspend does not interrupt the new stream`() async throws {
            // The sixth frame is the last before poll(2) reports an error.
            let sleep = LateSleep(after: 6)
            let patterns = ("YUYV:256x64@4,poll-error-after=5", "YUYV:256x64@4")
            try await Stage.run(patterns.0, patterns.1, warmth: .hot, clock: TestClock(slept: sleep.total)) { stage in
                sleep.watch(stage.session)
                #expect(await TestClock().reaches { stage.counters.captured >= 9 })
                #expect(stage.messages.count(.notice, "suspended") == 1)
                #expect(stage.counters.interrupted == 1)
                #expect(stage.counters.opened == 2)
            }
        }

        @Test func `the suspend clock stands still while the machine is awake`() {
            let before = MonotonicTime.suspended()
            #expect(before >= .milliseconds(-10))
            #expect(MonotonicTime.suspended() - before < .milliseconds(20))
        }
    }
}
