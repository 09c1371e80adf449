// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeImaging
import TintypeModel
import TintypeSystem

@testable import TintypeCapture

extension SessionTests {
    /// Motion detection on a pattern with a block that a file moves.
    struct MotionTests {
        /// Runs `body` with a camera whose block follows a file; later openings use the patterns `later`.
        private func run(
            _ pattern: String,
            then later: [String] = [],
            hold: Duration = .seconds(3),
            _ body: (Stage, MovesFile) async throws -> Void
        ) async throws {
            let file = MovesFile()
            var motion = MotionSettings()
            motion.hold = hold
            // Masks the number and the time, which change with every frame.
            motion.mask = [try #require(MaskShape("100x40+0+0"))]
            let patterns = ["\(pattern),moves=\(file.path)"] + later
            let configuration = SessionConfiguration(warmth: .hot, motion: motion)
            try await Stage.run(list: patterns, configuration: configuration) { try await body($0, file) }
        }

        private func kinds(_ stage: Stage) -> [Event.Kind] {
            stage.told.all.map(\.kind).filter { [.motionBegan, .motionEnded].contains($0) }
        }

        /// Waits for `seconds` of test time.
        private func pass(_ seconds: Int) async { _ = await TestClock().reaches(within: .seconds(seconds)) { false } }

        @Test(arguments: ["YUYV", "NV12", "MJPG", "BA81"])
        func `reports each start and end of motion once without encoding`(_ format: String) async throws {
            try await run("\(format):320x240@20") { stage, file in
                await pass(10)
                #expect(kinds(stage).isEmpty)
                #expect(stage.session.status.motion == MotionStatus(isMoving: false, share: 0))
                let begin = TestClock().now
                try file.change()
                #expect(await TestClock().reaches(within: .seconds(2)) { !kinds(stage).isEmpty })
                let motion = try #require(stage.session.motion)
                #expect(motion.isMoving && !motion.covers(begin - .milliseconds(100)))
                let began = try #require(motion.began)
                #expect(began >= begin && motion.covers(began) && motion.covers(TestClock().now))
                let status = try #require(stage.session.status.motion)
                #expect(status.isMoving && status.share >= 0.5)
                let since = try #require(status.since).microseconds
                #expect(abs(since - TestClock().wall(at: began).microseconds) < 1_000_000)
                await pass(5)
                try file.change()
                let end = TestClock().now
                let both = [Event.Kind.motionBegan, .motionEnded]
                #expect(await TestClock().reaches(within: .seconds(5)) { kinds(stage) == both })
                #expect(TestClock().now - end >= .milliseconds(2500))
                #expect(!motion.isMoving && motion.covers(end) && !motion.covers(TestClock().now))
                await pass(5)
                #expect(kinds(stage) == both)
                let shares = stage.told.all.compactMap(\.share)
                #expect(shares.count == 2 && shares[1] >= shares[0] && shares[0] >= 0.5)
                #expect(stage.renders.all.isEmpty && stage.counters.encoded == 0)
            }
        }

        @Test func `samples at most five frames a second`() async throws {
            let picture = Frame([0], .grey(FrameSize(width: 1, height: 1)))
            for (rate, frames, samples) in [("50", 500, 48...52), ("2", 20, 18...22)] {
                let watch = MotionWatch(MotionSettings(), camera: "a", clock: TestClock()) { _ in }
                var taken = 0
                for _ in 0..<frames {
                    try await TestClock().sleep(for: .seconds(1) / (Int(rate) ?? 1))
                    guard watch.isDue else { continue }
                    watch.begin()
                    #expect(!watch.isDue, "one at a time")
                    watch.finish(nil, of: picture)
                    taken += 1
                }
                #expect(samples.contains(taken), "\(taken) at \(rate)")
            }
        }

        @Test func `a camera without motion detection reports no motion`() async throws {
            try await Stage.run("YUYV:320x240@20", warmth: .hot) { stage in
                await pass(5)
                #expect(stage.session.status.motion == nil && stage.session.motion == nil)
                #expect(kinds(stage).isEmpty)
            }
        }

        @Test(arguments: ["", ",ramp=20", ",dark", ",uniform", ",frozen", ",lose-after=60", ",black-frames=90"])
        func `startup, uniform pictures and reconnects are not motion`(_ fault: String) async throws {
            try await run("YUYV:320x240@20,noise=8\(fault)") { stage, _ in
                await pass(20)
                #expect(kinds(stage).isEmpty, "\(stage.told.all.compactMap(\.share))")
            }
        }

        @Test func `damaged pictures are not motion`() async throws {
            try await run("MJPG:320x240@20,damage=40") { stage, _ in
                await pass(60)
                #expect(kinds(stage).isEmpty, "\(stage.told.all.compactMap(\.share))")
            }
        }

        @Test func `losing the camera ends motion at once`() async throws {
            let gone = "YUYV:320x240@20,gone"
            try await run("YUYV:320x240@20,lose-after=130", then: [gone], hold: .seconds(60)) { stage, file in
                try file.change()
                #expect(await TestClock().reaches(within: .seconds(6)) { kinds(stage) == [.motionBegan] })
                let both = [Event.Kind.motionBegan, .motionEnded]
                #expect(await TestClock().reaches(within: .seconds(6)) { kinds(stage) == both })
                #expect(stage.session.status.motion?.isMoving == false)
            }
        }

        @Test func `a brightness control change is not motion`() async throws {
            try await run("YUYV:320x240@20") { stage, _ in
                await pass(6)
                _ = try await stage.session.controls.set(ControlSettings(["brightness": .integer(170)]))
                await pass(6)
                #expect(kinds(stage).isEmpty)
            }
        }

        @Test func `begin and end of motion wake waiting clients`() async throws {
            try await run("YUYV:320x240@20") { stage, file in
                await pass(6)
                let motion = try #require(stage.session.motion)
                let never = TestClock().now + .seconds(1000)
                await motion.wait(for: false, until: never)
                await motion.wait(for: true, until: TestClock().now + .seconds(1))
                #expect(!motion.isMoving)
                async let began: Void = motion.wait(for: true, until: never)
                try file.change()
                await began
                #expect(motion.isMoving)
                async let ended: Void = motion.wait(for: false, until: never)
                try file.change()
                await ended
                #expect(!motion.isMoving && TestClock().now < never)
            }
        }
    }
}
