// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeImaging
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    /// Stills of the largest size from a stream of a smaller one.
    @Suite struct LargestStillTests {
        private static let pattern = "YUYV:256x64@50,also=YUYV:640x480@25"
        private static let usual = FrameSize(width: 256, height: 64)
        private static let largest = FrameSize(width: 640, height: 480)

        /// Runs `body` once a hot camera is streaming.
        private static func run(
            _ patterns: String...,
            warmth: Warmth = .hot,
            pixelFormats: [FourCC] = [],
            ring: Bool = false,
            allowsGap: Bool = true,
            look: CameraLook? = nil,
            _ body: (Stage) async throws -> Void
        ) async throws {
            var configuration = SessionConfiguration(warmth: warmth, allowsGap: allowsGap)
            configuration.format = FormatWish(pixelFormats: pixelFormats, size: .near(usual))
            configuration.look = look
            configuration.ring = ring ? RingConfiguration(quality: 80) : nil
            try await Stage.run(list: patterns, configuration: configuration) { stage in
                if warmth == .hot { try #require(await isRunning(stage)) }
                try await body(stage)
            }
        }

        private static func take(_ stage: Stage, deadline: Duration = .seconds(20)) async throws(Problem) -> Still {
            try await stage.stills.take(StillRequest(deadline: deadline, isLargest: true))
        }

        private static func size(_ still: Still) -> FrameSize {
            FrameSize(width: still.record.width, height: still.record.height)
        }

        private static func isRunning(_ stage: Stage) async -> Bool {
            await TestClock().reaches { stage.session.status.state == .running && stage.counters.captured > 2 }
        }

        @Test func `a largest still interrupts the stream for the reported gap`() async throws {
            try await Self.run(Self.pattern) { stage in
                let before = try await stage.take().code()
                let still = try await Self.take(stage)
                let after = try await stage.take(.latest).code()
                #expect(Self.size(still) == Self.largest)
                let code = try still.code()
                #expect(code.microseconds > before.microseconds && code.microseconds < after.microseconds)
                // The gap lasts from the last frame before to the first frame after the large stream.
                let gap = try #require(still.record.gapMs).duration
                #expect(gap >= .milliseconds(60))
                #expect(gap <= .microseconds(Int64(after.microseconds) - Int64(before.microseconds) + 40_000))
                #expect(stage.counters.gaps == 1 && stage.log.opened == 3)
                #expect(Self.size(try await stage.take()) == Self.usual)
                #expect(stage.session.status.format?.size == Self.usual)
                #expect(stage.counters.interrupted == 0)
            }
        }

        @Test func `exposure settles before a largest still`() async throws {
            try await Self.run("\(Self.pattern),ramp=12") { stage in
                _ = try await stage.take()
                try #require(await Self.isRunning(stage))
                let still = try await Self.take(stage)
                #expect(Self.size(still) == Self.largest)
                #expect(still.record.settled == true && still.record.appearance == nil)
                // The pattern restarts its count and its ramp with each stream.
                #expect(try still.code().number >= 12)
                #expect(still.record.skipped?[.unsettled] ?? 0 >= 8)
                // Eleven intervals of 40 ms.
                let settle = try #require(still.record.phasesMs).settle.duration
                #expect(settle >= .milliseconds(11 * 40))
                #expect(try #require(still.record.gapMs).duration >= settle)
            }
        }

        @Test func `other clients get frames of the usual size only`() async throws {
            try await Self.run(Self.pattern) { stage in
                try await withThrowingTaskGroup(of: FrameSize.self) { group in
                    for fresh in [Freshness.request, .next, .latest, .maxAge(.seconds(60))] {
                        group.addTask {
                            for _ in 0..<60 {
                                let size = Self.size(try await stage.take(fresh))
                                guard size == Self.usual else { return size }
                                try await TestClock().sleep(for: .milliseconds(5))
                            }
                            return Self.usual
                        }
                    }
                    group.addTask {
                        for _ in 0..<3 {
                            let still = try await Self.take(stage)
                            #expect(Self.size(still) == Self.largest)
                        }
                        return Self.usual
                    }
                    for try await size in group { #expect(size == Self.usual) }
                }
                #expect(stage.counters.gaps >= 1)
            }
        }

        @Test func `concurrent largest stills share one interruption`() async throws {
            try await Self.run(Self.pattern) { stage in
                let stills = try await atOnce(8) { _ in try await Self.take(stage) }
                #expect(stills.allSatisfy { Self.size($0) == Self.largest })
                #expect(stage.counters.gaps == 1 && stage.log.opened == 3)
                #expect(Set(stills.map(\.record.gapMs)).count == 1 && stills[0].record.gapMs != nil)
            }
        }

        @Test(arguments: [Warmth.cold, .linger(.seconds(30))])
        func `a closed camera opens at the largest size for a largest still`(_ warmth: Warmth) async throws {
            try await Self.run(Self.pattern, warmth: warmth) { stage in
                let still = try await Self.take(stage)
                #expect(Self.size(still) == Self.largest && still.record.gapMs == nil)
                #expect(await TestClock().reaches { stage.log.open == 0 })
                #expect(stage.log.opened == 1 && stage.counters.gaps == 0)
                #expect(Self.size(try await stage.take()) == Self.usual)
            }
        }

        @Test func `other clients of a closed camera are served after a largest still`() async throws {
            try await Self.run(Self.pattern, warmth: .cold) { stage in
                async let large = Self.take(stage)
                async let small = stage.take()
                let (first, second) = try await (large, small)
                #expect(Self.size(first) == Self.largest && Self.size(second) == Self.usual)
                #expect(!stage.session.dispatcher.need.isInDemand)
            }
        }

        @Test func `a stream of the largest size is not interrupted`() async throws {
            try await Self.run("YUYV:256x64@50,also=YUYV:64x64@50") { stage in
                let still = try await Self.take(stage)
                #expect(Self.size(still) == Self.usual && still.record.gapMs == nil)
                #expect(stage.log.opened == 1 && stage.counters.gaps == 0)
                // Other clients get frames of the same stream.
                #expect(Self.size(try await stage.take()) == Self.usual)
            }
        }

        @Test func `the largest size respects the configured formats`() async throws {
            let pattern = "YUYV:256x64@50,also=MJPG:640x480@25"
            try await Self.run(pattern, pixelFormats: [.yuyv]) { stage in
                let still = try await Self.take(stage)
                #expect(Self.size(still) == Self.usual)
                #expect(stage.counters.gaps == 0)
            }
            // The order of preference does not matter.
            try await Self.run(pattern, pixelFormats: [.yuyv, .mjpeg]) { stage in
                let still = try await Self.take(stage)
                #expect(Self.size(still) == Self.largest)
                #expect(stage.session.status.format?.pixelFormat == .yuyv)
            }
        }

        @Test func `rejects a largest still while streaming if gaps are forbidden`() async throws {
            try await Self.run(Self.pattern, allowsGap: false) { stage in
                await expectProblem(.gapNotAllowed, remedy: "allowGap") { try await Self.take(stage) }
                #expect(stage.log.opened == 1 && stage.counters.gaps == 0)
            }
        }

        @Test func `a largest still that the look does not fit does not interrupt the stream`() async throws {
            var look = CameraLook()
            (look.size, look.crop) = (Self.usual, CropRectangle(size: Self.usual, left: 0, top: 0))
            try await Self.run(Self.pattern, look: look) { stage in
                await expectProblem(.configurationUnsupported, remedy: "proportions of 256x64") {
                    try await Self.take(stage)
                }
                #expect(stage.log.opened == 1 && stage.counters.gaps == 0)
            }
        }

        @Test func `a closed camera takes a largest still even if gaps are forbidden`() async throws {
            try await Self.run(Self.pattern, warmth: .cold, allowsGap: false) { stage in
                let still = try await Self.take(stage)
                #expect(Self.size(still) == Self.largest)
            }
        }

        @Test func `a largest still does not interrupt a burst`() async throws {
            try await Self.run(Self.pattern, ring: true) { stage in
                for burst in [Burst.count(50, every: .zero), .span(from: .milliseconds(-20), to: .seconds(1), nth: 1)] {
                    let stills = stage.counters.stills
                    async let list = stage.burst(StillRequest(burst: burst))
                    #expect(await TestClock().reaches { stage.counters.stills > stills + 2 })
                    let problem = await expectProblem(.gapNotAllowed) { try await Self.take(stage) }
                    #expect(problem?.retryAfterMs != nil)
                    let taken = try await list
                    #expect(taken.missed == nil)
                }
                #expect(stage.counters.gaps == 0)
                #expect(Self.size(try await Self.take(stage)) == Self.largest)
            }
        }

        @Test func `the ring contains no frames of the largest size`() async throws {
            try await Self.run(Self.pattern, ring: true) { stage in
                _ = try await Self.take(stage)
                #expect(await TestClock().reaches { (stage.session.status.ring?.frames ?? 0) > 10 })
                let burst = StillRequest(burst: .span(from: .milliseconds(-30), to: .milliseconds(50), nth: 1))
                let list = try await stage.burst(burst)
                #expect(list.stills.allSatisfy { ($0.width, $0.height) == (256, 64) })
            }
        }

        @Test func `the stream resumes if the largest size fails`() async throws {
            try await Self.run(Self.pattern, Self.pattern + ",no-bandwidth", Self.pattern) { stage in
                async let other = stage.take(.maxAge(.zero))
                #expect(await failure { try await Self.take(stage) }?.code == .usbBandwidth)
                let stills = try await [other, stage.take()]
                #expect(stills.map(Self.size) == [Self.usual, Self.usual])
                #expect(stage.counters.gaps == 1)
            }
        }

        @Test func `a failed return from the largest size recovers like any outage`() async throws {
            try await Self.run(Self.pattern, Self.pattern, Self.pattern + ",gone", Self.pattern) { stage in
                let still = try await Self.take(stage)
                #expect(Self.size(still) == Self.largest)
                // The next attempt is at least a fifth of a second away.
                #expect(try #require(still.record.gapMs).duration >= .milliseconds(200))
                #expect(await Self.isRunning(stage))
                #expect(Self.size(try await stage.take()) == Self.usual)
                #expect(stage.counters.gaps == 1)
            }
        }

        @Test func `a record at the deadline contains the gap so far`() async throws {
            try await Self.run(Self.pattern, Self.pattern, "YUYV:256x64@0.2,also=YUYV:640x480@25") { stage in
                let began = TestClock().now
                let still = try await Self.take(stage, deadline: .seconds(1))
                #expect(Self.size(still) == Self.largest)
                let gap = try #require(still.record.gapMs).duration
                #expect(gap >= .milliseconds(900) && gap <= TestClock().now - began + .milliseconds(100))
            }
        }

        @Test func `a departed client does not delay the return to the usual size`() async throws {
            let slow = "YUYV:256x64@50,also=YUYV:640x480@0.1"
            try await Self.run(Self.pattern, slow, Self.pattern) { stage in
                let task = Task { try await Self.take(stage, deadline: .seconds(60)) }
                #expect(await TestClock().reaches { stage.log.opened == 2 })
                task.cancel()
                await #expect(throws: Problem.self) { try await task.value }
                #expect(await TestClock().reaches { stage.log.opened == 3 && stage.counters.gaps == 1 })
                let still = try await stage.take()
                #expect(Self.size(still) == Self.usual)
            }
        }

        @Test func `a camera stopped during the gap stays closed`() async throws {
            let slow = "YUYV:256x64@50,also=YUYV:640x480@0.1"
            try await Self.run(Self.pattern, slow) { stage in
                let taking = Task { try await Self.take(stage, deadline: .seconds(60)) }
                #expect(await TestClock().reaches { stage.log.opened == 2 })
                try await stage.session.stop()
                #expect(await failure { try await taking.value }?.code == .stopping)
                #expect(stage.log.open == 0 && stage.counters.gaps == 1)
            }
        }
    }
}
