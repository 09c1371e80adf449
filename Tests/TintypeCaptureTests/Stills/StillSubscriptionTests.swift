// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    @Suite struct StillSubscriptionTests {
        /// Takes `count` stills, and sums up the frames skipped between them.
        private static func take(_ count: Int, of subscription: StillSubscription) async throws -> (
            stills: [Still], passed: [SkipReason: Int]
        ) {
            var (stills, all) = ([Still](), [SkipReason: Int]())
            while stills.count < count {
                let end = TestClock().now + .seconds(20)
                guard case .still(let still) = await subscription.next(until: end) else {
                    throw Problem(.deadlineExceeded, "There is no further still.", remedy: "Look why.")
                }
                stills.append(still)
                all.merge(still.record.skipped ?? [:], uniquingKeysWith: +)
            }
            return (stills, all)
        }

        /// Runs `body` with a camera of 256x64 pixels and a subscription to its frames.
        private static func run(
            _ patterns: String...,
            warmth: Warmth = .linger(.seconds(30)),
            isStarted: Bool = false,
            endsCleanly: Bool = true,
            nth: Int = 1,
            settle: SettlePolicy = .never,
            _ body: (Stage, StillSubscription) async throws -> Void
        ) async throws {
            var configuration = SessionConfiguration(warmth: warmth)
            configuration.format = FormatWish(size: .near(FrameSize(width: 256, height: 64)))
            try await Stage.run(list: patterns, configuration: configuration, endsCleanly: endsCleanly) { stage in
                let subscription = StillSubscription(stage.session, StillRequest(settle: settle), nth: nth)
                defer { subscription.frames.close(isGone: true) }
                if isStarted { _ = try await stage.session.start() }
                try await body(stage, subscription)
            }
        }

        @Test func `a subscription follows the stream without opening the camera`() async throws {
            try await Self.run("YUYV:256x64@50") { stage, subscription in
                #expect(await subscription.next(until: TestClock().now + .milliseconds(200)) == nil)
                #expect(stage.log.openings == 0)
                #expect(!stage.session.dispatcher.need.isInDemand && !stage.session.dispatcher.need.isAwaited)
                _ = try await stage.session.start()
                let (stills, passed) = try await Self.take(20, of: subscription)
                let numbers = try stills.map { Int(try $0.code().number) }
                let lost = numbers[19] - numbers[0] + 1 - 20
                #expect(lost <= passed.values.reduce(0, +) + Int(stage.counters.sequenceGaps))
                #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
                #expect(Set(stills.map(\.record.id)).count == 20)
                #expect(stills.allSatisfy { $0.record.waitedMs?.duration == .zero })
            }
        }

        @Test func `takes every nth frame without encoding the others`() async throws {
            try await Self.run("YUYV:256x64@50", isStarted: true, nth: 7) { stage, subscription in
                let (stills, _) = try await Self.take(4, of: subscription)
                let numbers = try stills.map { Int(try $0.code().number) }
                #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 - $0 >= 7 })
                #expect(stage.counters.encoded <= stage.counters.captured / 7 + 1)
            }
        }

        @Test(arguments: [Warmth.linger(.milliseconds(200)), .cold])
        func `a subscription does not keep the camera open`(_ warmth: Warmth) async throws {
            try await Self.run("YUYV:256x64@50", warmth: warmth) { stage, subscription in
                for _ in 0..<2 {
                    _ = try await stage.session.hold(HoldRequest(owner: "test", duration: .seconds(60)))
                    _ = try await Self.take(5, of: subscription)
                    _ = try await stage.session.release(ReleaseRequest(owner: "test"))
                    #expect(await stage.session.reaches(.off))
                    #expect(stage.log.open == 0)
                }
                // The same subscription received frames of both streams.
                #expect(stage.log.opened == 2)
            }
        }

        @Test func `a subscription ends only with its session`() async throws {
            // The session ends in the test already.
            let patterns = ("YUYV:256x64@50,stall-after=20", "YUYV:256x64@50")
            try await Self.run(patterns.0, patterns.1, isStarted: true, endsCleanly: false) { stage, subscription in
                let (stills, _) = try await Self.take(40, of: subscription)
                #expect(stage.counters.interrupted == 1)
                #expect(stills.count == 40)
                try await stage.session.stop()
                while case .still? = await subscription.next(until: TestClock().now + .milliseconds(300)) {}
                #expect(await subscription.next(until: TestClock().now + .milliseconds(200)) == nil)
                #expect(stage.log.open == 0)
                _ = try await stage.session.start()
                _ = try await Self.take(3, of: subscription)
                #expect(await stage.session.end(within: .seconds(10)))
                var step = await subscription.next(until: TestClock().now + .seconds(10))
                while case .still? = step { step = await subscription.next(until: TestClock().now + .seconds(10)) }
                #expect(step?.problem?.code == .stopping, "\(String(describing: step))")
            }
        }

        @Test func `a slow consumer loses only its own frames`() async throws {
            try await Self.run("YUYV:256x64@100", isStarted: true) { stage, subscription in
                _ = try await Self.take(1, of: subscription)
                let rendered = stage.renders.all.count
                // The subscription is not read in the meantime.
                #expect(await stage.captures(60))
                #expect(stage.renders.all.count - rendered <= Subscriber.depth)
                let began = TestClock().now
                _ = try await stage.take(.next, settle: .never)
                #expect(TestClock().now - began < .seconds(1))
                let (stills, passed) = try await Self.take(Subscriber.depth + 2, of: subscription)
                #expect((passed[.overrun] ?? 0) >= 40)
                let numbers = try stills.map { Int(try $0.code().number) }
                #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
            }
        }

        @Test func `pending frames are delivered after the end`() async throws {
            try await Self.run("YUYV:256x64@100", isStarted: true) { stage, subscription in
                _ = try await Self.take(1, of: subscription)
                #expect(await stage.captures(3))
                subscription.frames.end()
                var count = 0
                while case .still? = await subscription.next(until: TestClock().now + .seconds(10)) { count += 1 }
                #expect((1...Subscriber.depth).contains(count))
                let step = await subscription.next(until: TestClock().now + .seconds(10))
                if case .end(nil)? = step {} else { Issue.record("not at its end: \(String(describing: step))") }
            }
        }

        @Test func `an impossible options fails subscriptions and bursts`() async throws {
            try await Stage.run("YUYV:256x64@50") { stage in
                stage.session.published.update { $0.configuration.overlay = OverlayStyle(font: "/nowhere/font.ttf") }
                _ = try await stage.session.start()
                let request = StillRequest(settle: .never, rendering: ImageOptions(overlay: "%F"))
                let subscription = StillSubscription(stage.session, request, nth: 1)
                defer { subscription.frames.close(isGone: true) }
                let end = await subscription.next(until: TestClock().now + .seconds(10))
                let problem = try #require(end?.problem)
                #expect(problem.code == .configurationUnsupported && problem.detail.contains("/nowhere/font.ttf"))
                var burst = request
                burst.burst = .count(3, every: .zero)
                #expect(await failure { try await stage.burst(burst) }?.code == .configurationUnsupported)
                #expect(await TestClock().reaches { !stage.session.dispatcher.need.isInDemand })
            }
        }

        @Test func `a frame shared with another client is encoded once`() async throws {
            try await Self.run("YUYV:256x64@20", isStarted: true) { stage, subscription in
                for _ in 0..<5 { _ = try await stage.take(.next, settle: .never) }
                _ = try await Self.take(5, of: subscription)
                #expect(Set(stage.renders.all).count == stage.renders.all.count)
            }
        }

        @Test func `a subscription excludes largest stills`() async throws {
            try await Self.run("YUYV:256x64@50,also=YUYV:640x480@25", warmth: .hot) { stage, subscription in
                var stills = try await Self.take(3, of: subscription).stills
                let still = try await stage.stills.take(StillRequest(deadline: .seconds(20), isLargest: true))
                #expect(still.record.width == 640 && stage.counters.gaps == 1)
                stills += try await Self.take(Subscriber.depth + 5, of: subscription).stills
                #expect(stills.allSatisfy { $0.record.width == 256 && $0.record.gapMs == nil })
                #expect(!stills.contains { $0.record.id == still.record.id })
            }
        }

        @Test func `a subscription does not keep a cold camera open after a largest still`() async throws {
            try await Self.run("YUYV:256x64@50,also=YUYV:640x480@25", warmth: .cold) { stage, subscription in
                let still = try await stage.stills.take(StillRequest(deadline: .seconds(20), isLargest: true))
                #expect(still.record.width == 640)
                #expect(await stage.session.reaches(.off))
                #expect(stage.log.opened == 1 && stage.log.open == 0)
                #expect(await subscription.next(until: TestClock().now + .milliseconds(50)) == nil)
            }
        }

        @Test func `a subscription needs no place`() async throws {
            try await Stage.run("YUYV:256x64@50", warmth: .hot) { stage in
                let room = stage.session.dispatcher.limiter
                var places: [RequestLimiter.Place] = []
                while places.count < RequestLimiter.placesOfCamera { places.append(try room.enter()) }
                let subscription = StillSubscription(stage.session, StillRequest(settle: .never), nth: 1)
                defer { subscription.frames.close(isGone: true) }
                _ = try await Self.take(3, of: subscription)
                withExtendedLifetime(places) {}
                places = []
                #expect(room.taken == 0)
            }
        }

        @Test func `a cancelled client gets stopping`() async throws {
            try await Self.run("YUYV:256x64@50") { _, subscription in
                let task = Task { await subscription.next(until: TestClock().now + .seconds(60)) }
                task.cancel()
                #expect(await task.value?.problem?.code == .stopping)
            }
        }

        @Test func `settling restarts in each stream`() async throws {
            try await Self.run("YUYV:256x64@50,ramp=10", warmth: .cold, settle: .always) { stage, subscription in
                for _ in 0..<2 {
                    _ = try await stage.session.hold(HoldRequest(owner: "test", duration: .seconds(60)))
                    let (stills, passed) = try await Self.take(3, of: subscription)
                    #expect(stills.allSatisfy { $0.record.settled == true })
                    #expect((passed[.unsettled] ?? 0) > 0)
                    _ = try await stage.session.release(ReleaseRequest(owner: "test"))
                    while case .still? = await subscription.next(until: TestClock().now + .milliseconds(200)) {}
                }
            }
        }
    }
}

extension StillSubscription.Step {
    /// Reason for the end; nil for a still or an end by the subscriber.
    fileprivate var problem: Problem? { if case .end(let problem) = self { problem } else { nil } }
}
