// SPDX-License-Identifier: Apache-2.0
import Logging
import Synchronization
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    /// What a session leaves behind when it opens its camera again.
    struct ReopeningTests {
        /// How long a machine has been suspended: for an hour once the session has taken so many frames.
        private final class LateSleep: Sendable {
            private let session = Mutex<CaptureSession?>(nil)
            private let frames: UInt64
            init(after frames: UInt64) { self.frames = frames }
            func watch(_ session: CaptureSession) { self.session.withLock { $0 = session } }
            @Sendable func total() -> Duration {
                guard let hub = session.withLock({ $0 })?.hub else { return .zero }
                return hub.snapshot.counters.captured >= frames ? .seconds(3600) : .zero
            }
        }

        /// The same, once a test says so.
        private final class Sleep: Sendable {
            private let time = Mutex(Duration.zero)
            @Sendable func total() -> Duration { time.withLock { $0 } }
            func begin() { time.withLock { $0 = .seconds(3600) } }
        }

        @Test func `a device whose source has changed is closed before it is opened again`() async throws {
            try await Stage.run("YUYV:256x64@100,change-after=20:320x96", warmth: .hot) { stage in
                #expect(await TestClock().reaches { stage.counters.opened == 2 })
                let still = try await stage.take()
                #expect(still.record.width == 320)
                #expect(stage.log.mostOpen == 1)
            }
        }

        @Test func `a camera that lingers follows a source that changes twice at once`() async throws {
            let patterns = (
                "YUYV:256x64@100,change-after=20:320x96", "YUYV:320x96@100,change-after=2:256x64", "YUYV:256x64@100"
            )
            try await Stage.run(patterns.0, patterns.1, patterns.2) { stage in
                _ = try await stage.take(settle: .never)
                #expect(
                    await TestClock().reaches { stage.counters.opened == 3 && stage.session.status.state == .running }
                )
                #expect(stage.log.mostOpen == 1 && stage.counters.stills == 1)
            }
        }

        @Test func `a device is closed before it is opened again after a suspend`() async throws {
            let sleep = Sleep()
            try await Stage.run("YUYV:256x64@100", warmth: .hot, clock: TestClock(slept: sleep.total)) { stage in
                _ = try await stage.take()
                sleep.begin()
                _ = try await stage.take()
                #expect(stage.counters.opened == 2)
                #expect(stage.log.mostOpen == 1)
            }
        }

        @Test func `what was said of the old device before a suspend is not held against the new one`() async throws {
            // The sixth frame is the last one before poll(2) reports an error.
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
    }
}
