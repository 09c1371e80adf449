// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeModel
import TintypeStills

@testable import TintypeCapture
@testable import TintypeFrames

extension SessionTests {
    /// Clients that take one frame after the other, and a still of the largest size meanwhile.
    @Suite struct GapFeedTests {
        private static let usual = FrameSize(width: 256, height: 64)

        /// Takes frames until `isEnough` of what has come, and none after that.
        private static func follow(
            _ stage: Stage,
            until isEnough: @Sendable ([FrameFeed.Step]) -> Bool
        ) async throws -> [FrameFeed.Step] {
            let hub = stage.session.hub
            let rendition = Rendition(StillRendering(quality: 80), integrity: .strict)
            let wish = FrameWish(fresh: .next, rendition: rendition, requestedAt: TestClock().now)
            let feed = hub.open(Demand.Plan(allowsGaps: true), wish, in: try hub.room.enter())
            stage.session.thread.wake()
            defer { feed.close(isGone: false) }
            var steps: [FrameFeed.Step] = []
            let deadline = TestClock().now + .seconds(20)
            while !isEnough(steps) {
                let step = try #require(await feed.next(until: deadline), "nothing came after \(steps.count) steps")
                steps.append(step)
                if case .failed(let problem) = step { throw problem }
            }
            return steps
        }

        private static func frames(_ steps: some Sequence<FrameFeed.Step>) -> [Frame] {
            steps.compactMap { step in if case .frame(let delivery) = step { delivery.frame } else { nil } }
        }

        private static func index(of steps: [FrameFeed.Step]) -> Int? {
            steps.firstIndex { step in if case .gap = step { true } else { false } }
        }

        @Test
        func `a client that takes frame after frame is told of the interruption where it was, and gets no large one`()
            async throws
        {
            var configuration = SessionConfiguration(warmth: .hot)
            configuration.format = FormatWish(size: .near(Self.usual))
            let patterns = ["YUYV:256x64@50,also=YUYV:640x480@25"]
            try await Stage.run(list: patterns, configuration: configuration) { stage in
                let isRunning = await TestClock().reaches {
                    stage.session.status.state == .running && stage.counters.captured > 2
                }
                try #require(isRunning)
                async let following = Self.follow(stage) { steps in
                    guard let gap = Self.index(of: steps) else { return false }
                    return Self.frames(steps[gap...]).count >= 3
                }
                #expect(await TestClock().reaches { stage.session.hub.isAwaited && stage.counters.encoded >= 2 })
                let still = try await stage.stills.take(StillRequest(deadline: .seconds(20), isLargest: true))
                #expect(still.record.width == 640)
                let steps = try await following
                let at = try #require(Self.index(of: steps))
                let gaps = steps.compactMap { step in if case .gap(let gap) = step { gap } else { nil } }
                let gap = try #require(gaps.first)
                #expect(gaps.count == 1)
                #expect(still.record.gapMs?.duration == gap.duration)
                let (before, after) = (Self.frames(steps[..<at]), Self.frames(steps[at...]))
                #expect(before.count >= 2)
                #expect((before + after).allSatisfy { $0.picture.size == Self.usual })
                // The stream in between was that of the large picture.
                #expect(before.allSatisfy { $0.key.stream == 1 } && after.allSatisfy { $0.key.stream == 3 })
                #expect(before.allSatisfy { $0.stamp.dequeued <= gap.began })
                #expect(after.allSatisfy { $0.stamp.dequeued > gap.began })
                #expect(await TestClock().reaches { !stage.session.hub.isInDemand })
            }
        }
    }
}
