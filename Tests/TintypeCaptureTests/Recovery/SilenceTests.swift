// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    /// Cameras that are silent for longer than their driver states, but work.
    struct SilenceTests {
        /// Three intervals of 5 s, as measured.
        private static let limit = Duration.milliseconds(14_900)...Duration.milliseconds(15_100)

        private static func run(
            _ patterns: String...,
            stall: SilenceLimit = .auto,
            firstFrame: SilenceLimit = .auto,
            ring: RingConfiguration? = nil,
            lead: StampLead = .auto,
            _ body: (Stage) async throws -> Void
        ) async throws {
            var configuration = SessionConfiguration(warmth: .hot, ring: ring, lead: lead)
            (configuration.stall, configuration.firstFrame) = (stall, firstFrame)
            try await Stage.run(list: patterns, configuration: configuration, body)
        }

        /// Waits until `count` frames were captured, counted over all streams.
        private static func hasCaptured(_ count: UInt64, _ stage: Stage) async -> Bool {
            await TestClock().reaches(within: .seconds(300)) { stage.counters.captured >= count }
        }

        /// A frame each 5 s from drivers that state 50 and 20 a second, the first one after 5 s or at once.
        @Test(arguments: ["YUYV:256x64@50,slow=250", "YUYV:256x64@20,drop=99"])
        func `a slow camera works once it has given two frames`(_ pattern: String) async throws {
            try await Self.run(pattern) { stage in
                #expect(await Self.hasCaptured(10, stage))
                // Silent for 2 s and for 4 s; the third stream may be for 8 s.
                #expect(stage.counters.opened == 3 && stage.counters.interrupted == 2)
                #expect(Self.limit.contains(stage.session.dispatcher.limits.silence))
                #expect(Self.limit.contains(stage.session.extraWait + .seconds(2)))
                _ = try await stage.take(deadline: .seconds(20)).code()
                // The next stream knows it from its beginning.
                try await stage.session.stop()
                _ = try await stage.session.start()
                #expect(await Self.hasCaptured(stage.counters.captured + 6, stage))
                #expect(stage.counters.opened == 4 && stage.counters.interrupted == 2)
                #expect(stage.session.status.state == .running)
            }
        }

        @Test func `a slow camera that hangs is reopened after three of its intervals`() async throws {
            try await Self.run("YUYV:256x64@50,slow=250,stall-after=8") { stage in
                #expect(await Self.hasCaptured(8, stage))
                let last = TestClock().now
                #expect(await TestClock().reaches(within: .seconds(60)) { stage.counters.interrupted == 3 })
                #expect(Self.limit.contains(TestClock().now - last))
            }
        }

        @Test func `the limit of a camera with the usual pace is 2 s after five frames`() async throws {
            try await Self.run("YUYV:256x64@50,stall-after=1", "YUYV:256x64@50") { stage in
                #expect(await TestClock().reaches { stage.counters.captured == 2 })
                #expect(stage.counters.opened == 2 && stage.session.dispatcher.limits.silence == .seconds(4))
                #expect(await TestClock().reaches { stage.counters.captured == 6 })
                #expect(stage.session.dispatcher.limits.silence == .seconds(2))
            }
        }

        @Test(arguments: [(SilenceLimit.fixed(.seconds(60)), SilenceLimit.auto), (.auto, .fixed(.seconds(10)))])
        func `configured limits apply from the first stream on`(_ stall: SilenceLimit, _ firstFrame: SilenceLimit)
            async throws
        {
            try await Self.run("YUYV:256x64@50,slow=250", stall: stall, firstFrame: firstFrame) { stage in
                #expect(await Self.hasCaptured(6, stage))
                #expect(stage.counters.opened == 1 && stage.counters.interrupted == 0)
            }
        }

        @Test func `with stall off a camera without frames for minutes is not interrupted`() async throws {
            let ring = RingConfiguration(seconds: 3600, quality: 90)
            try await Self.run("YUYV:256x64@1,stall-after=2", stall: .off, ring: ring) { stage in
                #expect(await Self.hasCaptured(2, stage))
                try await TestClock().sleep(for: .seconds(300))
                #expect(stage.counters.opened == 1 && stage.counters.interrupted == 0)
                #expect(stage.session.status.state == .running && stage.messages.loud.isEmpty)
                let asked = TestClock().now
                await expectProblem(.deadlineExceeded, "within 3 s (no frame came)") {
                    try await stage.take(deadline: .seconds(3))
                }
                #expect(TestClock().now - asked >= .seconds(3))
                // The newest frame, however old.
                for fresh in [Freshness.latest, .at(.zero)] {
                    let still = try await stage.take(fresh, settle: .never)
                    #expect(try still.code().number == 2)
                    #expect(try #require(still.record.ageMs).duration >= .seconds(300))
                }
                await expectProblem(.deadlineExceeded) {
                    try await stage.take(.maxAge(.seconds(60)), deadline: .seconds(3))
                }
            }
        }

        @Test func `a past still awaits the frame of its moment until shortly before its deadline`() async throws {
            let (pattern, ring) = ("YUYV:256x64@50,slow=250", RingConfiguration(seconds: 3600, quality: 90))
            let lead = StampLead.fixed(.seconds(4))
            try await Self.run(pattern, stall: .fixed(.seconds(60)), ring: ring, lead: lead) { stage in
                #expect(await Self.hasCaptured(2, stage))
                try await TestClock().sleep(for: .seconds(2))
                // The third frame began a second ago and comes in three; the fourth would prove it to be the last.
                let still = try await stage.take(.at(.zero), deadline: .seconds(5), settle: .never)
                #expect(try still.code().number == 3)
            }
        }

        @Test func `with stall off the first frame may come at any time, or within firstFrame`() async throws {
            let pattern = "YUYV:256x64@1,stall-after=0"
            try await Self.run(pattern, stall: .off) { stage in
                await expectProblem(.deadlineExceeded, "(no frame came)") {
                    try await stage.take(deadline: .seconds(3))
                }
                try await TestClock().sleep(for: .seconds(120))
                #expect(stage.counters.opened == 1 && stage.counters.interrupted == 0)
            }
            try await Self.run(pattern, stall: .off, firstFrame: .fixed(.seconds(5))) { stage in
                #expect(await TestClock().reaches(within: .seconds(6)) { stage.counters.interrupted == 1 })
            }
        }
    }
}
