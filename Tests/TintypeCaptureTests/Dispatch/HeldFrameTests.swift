// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeDevice
import TintypeImaging
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    /// The newest frame, served without the camera's thread to clients that ask repeatedly.
    struct HeldFrameTests {
        /// Takes the newest frame with options for which it was not encoded yet.
        private func latest(_ stage: Stage, quality: Int) async throws(Problem) -> Still {
            let rendering = ImageOptions(quality: quality)
            let request = StillRequest(fresh: .latest, deadline: .seconds(1), settle: .never, rendering: rendering)
            return try await stage.stills.take(request)
        }

        private func isHeld(_ stage: Stage) -> Bool { stage.session.dispatcher.state.withLock { $0.held != nil } }

        @Test func `delivers the newest frame while a driver call hangs`() async throws {
            try await Stage.run("YUYV:256x64@100,hang-after=50,hang=8s", warmth: .hot) { stage in
                #expect(await TestClock().reaches { stage.counters.captured >= 30 })
                _ = try await stage.take(.latest, settle: .never)
                #expect(await TestClock().reaches { stage.session.context.calls.stuck(longerThan: .zero) != nil })
                let still = try await latest(stage, quality: 33)
                #expect(try still.code().number == 50)
                // The frame is now too old, and no other arrives within the deadline.
                try await TestClock().sleep(for: .seconds(2))
                let asked = TestClock().now
                let problem = await #expect(throws: Problem.self) { try await latest(stage, quality: 34) }
                #expect(TestClock().now - asked >= .seconds(1))
                #expect(problem?.code == .driverStuck)
            }
        }

        @Test func `a picture that is made already needs no place and no encoding`() async throws {
            try await Stage.run("YUYV:256x64@2", warmth: .hot) { stage in
                _ = try await stage.take(.next, settle: .never)
                let limiter = stage.session.dispatcher.limiter
                let places = try (0..<RequestLimiter.placesOfCamera).map { _ throws(Problem) in try limiter.enter() }
                let still = try await stage.take(.latest, settle: .never)
                #expect(still.record.phasesMs?.encode == Milliseconds(.zero))
                #expect(await failure { try await latest(stage, quality: 33) }?.code == .tooManyRequests)
                withExtendedLifetime(places) {}
            }
        }

        @Test func `holds the newest frame only while clients ask`() async throws {
            try await Stage.run("YUYV:256x64@100", warmth: .hot) { stage in
                #expect(await TestClock().reaches { stage.counters.captured >= 30 })
                #expect(!isHeld(stage))
                _ = try await stage.take(.latest, settle: .never)
                try await TestClock().sleep(for: .milliseconds(900))
                #expect(isHeld(stage))
                try await TestClock().sleep(for: .milliseconds(200))
                #expect(!isHeld(stage))
            }
        }

        @Test func `holds no frame while an older one is being encoded`() async throws {
            let gate = Gate()
            try await Stage.run("YUYV:256x64@100", warmth: .hot, rendering: gate.rendering) { stage in
                async let still = stage.take(.next, settle: .never)
                #expect(await TestClock().reaches { stage.counters.captured >= 20 })
                // The encoder has the only buffer allowed for an older frame.
                #expect(!isHeld(stage))
                gate.open()
                _ = try await still
                try await TestClock().sleep(for: .milliseconds(100))
                #expect(isHeld(stage))
            }
        }

        /// `strict` decodes the picture, and `quality` encodes it again.
        @Test(arguments: [
            (Integrity.tolerant, nil, true), (.raw, nil, true), (.strict, nil, false), (.tolerant, 50, false),
        ])
        func `a camera's own JPEG is copied without an encoding thread`(
            integrity: Integrity,
            quality: Int?,
            isHere: Bool
        ) async throws {
            try await Stage.run("MJPG:256x64@100", warmth: .hot) { stage in
                _ = try await stage.take(.next, settle: .never)
                #expect(await TestClock().reaches { isHeld(stage) })
                let request = StillRequest(
                    fresh: .latest,
                    deadline: .seconds(1),
                    settle: .never,
                    integrity: integrity,
                    rendering: ImageOptions(quality: quality)
                )
                let (before, gate) = (stage.renders.all.count, Gate())
                async let one = stage.encoding.perform { _ in gate.wait() }
                async let other = stage.encoding.perform { _ in gate.wait() }
                // All encoding threads are busy.
                await TestClock().settle()
                async let still = stage.stills.take(request)
                let limit = Duration.milliseconds(500)
                #expect(await TestClock().reaches(within: limit) { stage.renders.all.count > before } == isHere)
                gate.open()
                _ = await (one, other)
                let taken = try await still
                #expect(ExifOrigin(taken.picture)?.id == taken.record.id)
            }
        }

        @Test func `a frame from before a suspend is not delivered`() async throws {
            let sleep = SuspendTests.Sleep()
            try await Stage.run("YUYV:256x64@2", warmth: .hot, clock: TestClock(slept: sleep.total)) { stage in
                for _ in 0..<2 { _ = try await stage.take(.next, settle: .never) }
                try await TestClock().sleep(for: .milliseconds(100))
                #expect(isHeld(stage))
                let before = stage.counters.captured
                sleep.add(.seconds(60))
                let still = try await latest(stage, quality: 33)
                #expect(stage.counters.captured > before && stage.counters.opened == 2)
                #expect(try still.code().number <= 2)
            }
        }

        @Test func `a frame from before the shutter closed is not delivered`() async throws {
            try await Stage.run("YUYV:256x64@100,shutter-after=50", warmth: .hot) { stage in
                #expect(await TestClock().reaches { stage.counters.captured >= 30 })
                _ = try await stage.take(.latest, settle: .never)
                #expect(await TestClock().reaches { stage.session.status.controls?.isShutterClosed == true })
                #expect(!isHeld(stage))
                #expect(await failure { try await latest(stage, quality: 33) }?.code == .noSignal)
            }
        }

        @Test func `a frame of a closed camera is not delivered`() async throws {
            try await Stage.run("YUYV:256x64@100", warmth: .linger(.milliseconds(300))) { stage in
                _ = try await stage.take(.next, settle: .never)
                #expect(await TestClock().reaches { stage.log.open == 0 })
                #expect(!isHeld(stage))
                _ = try await latest(stage, quality: 33)
                #expect(stage.counters.opened == 2)
            }
        }
    }
}
