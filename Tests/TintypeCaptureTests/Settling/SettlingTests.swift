// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeImaging
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    /// Stills of cameras whose exposure and white balance settle after a start.
    struct SettlingTests {
        /// A size in which code and text take little room.
        private static let size = "640x360@50"
        /// A rate slow enough to analyse every frame on a busy machine.
        private static let slow = "640x360@10"

        private func phases(_ still: Still) throws -> StillPhases { try #require(still.record.phasesMs) }

        /// Mean luma of the lower half, without code and block.
        private func brightness(_ still: Still) throws -> Double {
            var decoder = JPEGDecoder()
            let (size, luma) = try decoder.decodeLuma(still.picture.rawSpan)
            let lower = luma[(size.area * 3 / 4)...]
            return lower.reduce(0.0) { $0 + Double($1) } / Double(lower.count)
        }

        @Test(arguments: ["YUYV", "NV12", "MJPG", "BA81"])
        func `a cold camera gives a settled still (old-dark-first-frame-as-success)`(_ format: String) async throws {
            try await Stage.run("\(format):\(Self.size),ramp=12", warmth: .cold) { stage in
                let still = try await stage.take()
                #expect(still.record.settled == true)
                #expect(try still.code().number >= 12)
                #expect(still.record.skipped?[.unsettled] ?? 0 >= 8)
                #expect(still.record.appearance == nil)
                #expect(await TestClock().reaches { stage.log.open == 0 })
                let reference = try await stage.take(settle: .never)
                let first = try brightness(reference)
                #expect(try brightness(still) > 3 * first, "a first frame is dark: \(first)")
            }
        }

        @Test(arguments: ["ramp=20", "chroma-ramp=20", "black-frames=20"])
        func `waits for brightness, colour and black frames to settle`(_ fault: String) async throws {
            try await Stage.run("YUYV:\(Self.size),\(fault)", warmth: .cold) { stage in
                let still = try await stage.take()
                #expect(still.record.settled == true && still.record.appearance == nil)
                #expect(try still.code().number >= 20)
            }
        }

        @Test(arguments: [SettlePolicy.auto, .always])
        func `waits for black first frames despite fast earlier starts`(_ settle: SettlePolicy) async throws {
            let lit = "YUYV:640x360@15"
            let patterns = Array(repeating: lit, count: 4) + [lit + ",black-frames=20", lit + ",dark"]
            try await Stage.run(list: patterns, configuration: SessionConfiguration(warmth: .cold)) { stage in
                for _ in 1...4 {
                    _ = try await stage.take().code()
                    #expect(await stage.session.reaches(.off))
                }
                let late = try await stage.take(settle: settle)
                #expect(late.record.settled == true && late.record.appearance == nil)
                #expect(try late.code().number > 20)
                #expect(await stage.session.reaches(.off))
                // A black picture is delivered after three seconds and reported as black.
                let began = TestClock().now
                let dark = try await stage.take(settle: settle)
                #expect(dark.record.appearance?.contains(.black) == true)
                #expect(TestClock().now - began >= .seconds(3) && TestClock().now - began < .seconds(5))
            }
        }

        @Test func `the phases of a record do not overlap`() async throws {
            try await Stage.run("MJPG:\(Self.size),ramp=15", warmth: .cold) { stage in
                let start = TestClock().now
                let still = try await stage.take()
                let took = TestClock().now - start
                let phases = try phases(still)
                #expect(phases.open.duration > .zero && phases.encode.duration > .zero)
                // Fourteen intervals of 20 ms; the first frame takes 20 ms to arrive.
                #expect(phases.settle.duration >= .milliseconds(14 * 20))
                #expect(phases.wait.duration >= .milliseconds(15) && phases.wait.duration < phases.settle.duration)
                let sum = phases.open.duration + phases.settle.duration + phases.wait.duration + phases.encode.duration
                #expect(sum <= took)
                let waited = try #require(still.record.waitedMs).duration
                #expect(phases.open.duration + phases.settle.duration + phases.wait.duration >= waited)
            }
        }

        @Test(arguments: [Freshness.request, .next, .latest, .maxAge(.seconds(10))])
        func `settling applies to every freshness`(_ fresh: Freshness) async throws {
            try await Stage.run("YUYV:\(Self.size),ramp=12", warmth: .cold) { stage in
                let still = try await stage.take(fresh)
                #expect(still.record.settled == true)
                #expect(try still.code().number >= 12)
            }
        }

        @Test func `auto delivers an unsettled still near the deadline`() async throws {
            try await Stage.run("YUYV:640x360@25,ramp=110", warmth: .cold) { stage in
                let start = TestClock().now
                let still = try await stage.take(deadline: .seconds(1))
                #expect(TestClock().now - start < .seconds(1))
                #expect(still.record.settled == false)
                #expect(still.record.skipped?[.unsettled] ?? 0 > 10)
                // The newest frame, not the first.
                #expect(try still.code().number > 10)
                #expect(try #require(still.record.ageMs).duration < .milliseconds(300))
            }
        }

        @Test func `auto waits no longer than the request says`() async throws {
            try await Stage.run("YUYV:640x360@25,ramp=110", warmth: .cold) { stage in
                var request = StillRequest(deadline: .seconds(5))
                request.longestSettling = .milliseconds(1500)
                let asked = TestClock().now
                let still = try await stage.stills.take(request)
                let waited = TestClock().now - asked
                #expect(still.record.settled == false)
                #expect(waited >= .milliseconds(1400) && waited < .milliseconds(1800), "\(waited)")
            }
        }

        @Test func `auto waits no longer than the settle limit`() async throws {
            try await Stage.run("YUYV:640x360@25,ramp=110", warmth: .linger(.seconds(30))) { stage in
                let still = try await stage.take(deadline: .seconds(60))
                #expect(still.record.settled == false)
                let settle = try phases(still).settle.duration
                #expect(settle >= .milliseconds(2900) && settle < .seconds(4), "\(settle)")
                // The state changes shortly after the picture.
                #expect(await stage.session.reaches(.running))
                // The limit has passed: the next still does not wait.
                let next = try await stage.take(deadline: .seconds(60))
                #expect(next.record.settled == false)
                #expect(try phases(next).settle.duration == .zero)
                #expect(next.record.skipped?[.unsettled] == nil)
            }
        }

        @Test func `always fails at the deadline if not settled`() async throws {
            try await Stage.run("YUYV:640x360@25,ramp=110", warmth: .linger(.seconds(30))) { stage in
                await expectProblem(.deadlineExceeded, "have not settled within", " unsettled)") {
                    try await stage.take(deadline: .milliseconds(400), settle: .always)
                }
                #expect(!stage.session.dispatcher.need.isInDemand)
                #expect(await stage.session.reaches(.running))
            }
        }

        @Test func `always waits for a camera that settles late`() async throws {
            try await Stage.run("YUYV:640x360@25,ramp=95", warmth: .cold) { stage in
                let still = try await stage.take(settle: .always)
                #expect(still.record.settled == true)
                #expect(try still.code().number >= 90)
            }
        }

        @Test func `never does not wait for settling`() async throws {
            try await Stage.run("YUYV:\(Self.size),ramp=5000", warmth: .cold) { stage in
                let still = try await stage.take(settle: .never)
                #expect(still.record.settled == nil)
                #expect(try still.code().number < 20)
                #expect(try phases(still).settle.duration == .zero)
            }
        }

        @Test func `a settled stream is not waited for again until it restarts`() async throws {
            try await Stage.run("YUYV:\(Self.size),ramp=12,lose-after=200", warmth: .hot) { stage in
                #expect(try await stage.take().record.settled == true)
                for fresh in [Freshness.request, .next, .latest] {
                    let still = try await stage.take(fresh)
                    #expect(still.record.settled == true && still.record.skipped?[.unsettled] == nil)
                    #expect(try phases(still).settle.duration == .zero)
                }
                #expect(await TestClock().reaches { stage.counters.opened == 2 })
                let again = try await stage.take()
                #expect(again.record.settled == true)
                #expect(try again.code().number >= 12 && again.code().number < 150)
            }
        }

        @Test func `control changes and reconfigurations restart settling`() async throws {
            try await Stage.run("YUYV:\(Self.slow),sizes=64x48/2x2,ramp=12", warmth: .linger(.seconds(30))) { stage in
                _ = try await stage.take()
                _ = try await stage.session.controls.set(ControlSettings(["brightness": .integer(160)]))
                let changed = try await stage.take()
                #expect(changed.record.settled == true)
                // Settling needs five frames after the change; the request skips four of them.
                #expect(changed.record.skipped?[.unsettled] == 4)
                #expect(try brightness(changed) > 140)
                _ = try await stage.session.controls.all()
                #expect(try await stage.take().record.skipped?[.unsettled] == nil)
                var wish = SessionConfiguration(warmth: .linger(.seconds(30)))
                wish.format = FormatWish(size: .near(FrameSize(width: 512, height: 288)))
                _ = try await stage.session.apply(wish)
                let configured = try await stage.take()
                #expect(configured.record.settled == true && configured.record.width == 512)
                #expect(try configured.code().number >= 12)
            }
        }

        @Test func `the state is settling only while a client waits`() async throws {
            try await Stage.run("YUYV:640x360@25,ramp=110", warmth: .hot) { stage in
                #expect(await stage.session.reaches(.running))
                let waiter = Task { try? await stage.take(deadline: .seconds(60), settle: .always) }
                #expect(await stage.session.reaches(.settling))
                waiter.cancel()
                _ = await waiter.value
                #expect(await stage.session.reaches(.running))
            }
        }

        @Test func `frames are analysed only for clients`() async throws {
            try await Stage.run("YUYV:640x360@25,ramp=110", warmth: .hot) { stage in
                #expect(await TestClock().reaches { stage.counters.captured >= 20 })
                #expect(stage.session.context.encoder.analyses.count == 0)
                _ = try await stage.take(settle: .never)
                // The frame itself is analysed for its appearance.
                #expect(stage.session.context.encoder.analyses.count == 1)
                _ = try await stage.take(deadline: .milliseconds(400))
                #expect(await stage.captures(20))
                let looks = stage.session.context.encoder.analyses.count
                #expect(await stage.captures(20))
                #expect(stage.session.context.encoder.analyses.count == looks)
            }
        }

        @Test func `a camera that starts settled is recognised after three starts`() async throws {
            try await Stage.run("YUYV:\(Self.slow)", warmth: .cold) { stage in
                #expect(stage.session.status.latency.settling == nil)
                for start in 1...5 {
                    let still = try await stage.take()
                    #expect(still.record.settled == true)
                    // Settling is known after four more frames.
                    let unsettled = still.record.skipped?[.unsettled]
                    #expect(unsettled == (start <= 3 ? 4 : nil), "start \(start)")
                    #expect(await stage.session.reaches(.off))
                    #expect(stage.log.open == 0)
                    let learned = try #require(stage.session.status.latency.settling)
                    #expect(learned.count == start && learned.worstFrames >= 5)
                    #expect(learned.medianFrames >= 5 && learned.medianFrames <= learned.worstFrames)
                }
                #expect(try #require(stage.session.status.latency.settling).worstMs.duration >= .milliseconds(375))
            }
        }

        @Test func `the first still of an idle hot camera does not wait for settling`() async throws {
            try await Stage.run("YUYV:\(Self.size)", warmth: .hot) { stage in
                #expect(await TestClock().reaches { stage.counters.captured >= 170 })
                let still = try await stage.take()
                #expect(still.record.settled == nil && still.record.skipped?[.unsettled] == nil)
                #expect(await stage.captures(8))
                #expect(try await stage.take().record.settled == true)
            }
        }

        @Test func `a device lost while reading its exposure is reopened`() async throws {
            try await Stage.run("YUYV:\(Self.size)", warmth: .cold, drivers: [.goneAtExposure]) { stage in
                let still = try await stage.take()
                #expect(still.record.settled == true && stage.log.openings == 2)
            }
        }

        @Test func `waits for exposure values to settle`() async throws {
            let drivers = [OddControls.Oddity.movingGain(OddControls.Reading(), until: 20)]
            try await Stage.run("YUYV:\(Self.size)", warmth: .cold, drivers: drivers) { stage in
                let still = try await stage.take()
                #expect(still.record.settled == true)
                #expect(still.record.skipped?[.unsettled] ?? 0 >= 20)
            }
        }

        @Test func `a device with slow controls is not read repeatedly`() async throws {
            let (values, names) = (OddControls.Reading(), OddControls.Reading())
            // One read for settling and one for EXIF data; names are read once for the record, never for settling.
            let ways = [(OddControls.Oddity.slowGain(values), values, 3), (.slowNames(names), names, 1)]
            for (driver, slow, most) in ways {
                try await Stage.run("YUYV:\(Self.size)", warmth: .cold, drivers: [driver]) { stage in
                    let still = try await stage.take()
                    #expect(still.record.settled == true)
                    #expect(slow.count <= most)
                }
            }
        }
    }
}
