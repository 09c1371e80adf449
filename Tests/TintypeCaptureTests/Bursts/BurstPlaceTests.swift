// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    @Suite struct BurstPlaceTests {
        /// A kind of request that occupies a place.
        struct Way: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let fresh: Freshness
            let burst: Burst?
            let average: Int

            init(_ name: String, fresh: Freshness = .request, _ burst: Burst? = nil, average: Int = 1) {
                (testDescription, self.fresh, self.burst, self.average) = (name, fresh, burst, average)
            }
        }

        private static let hour = Duration.seconds(3600)

        static let ways = [
            Way("one still"),
            Way("a still of the past", fresh: .at(.milliseconds(-50))),
            Way("consecutive frames", .count(3, every: .zero)),
            Way("averages", .count(3, every: .zero), average: 2),
            Way("consecutive frames of the past", fresh: .at(.zero), .count(3, every: .zero)),
            Way("a time between", .count(3, every: .milliseconds(20))),
            Way("moments of the past", fresh: .at(.milliseconds(-50)), .count(3, every: .milliseconds(20))),
            Way("a span", .span(from: .zero, to: .milliseconds(100), nth: 1)),
            Way("a span from the past", .span(from: .milliseconds(-100), to: .milliseconds(100), nth: 1)),
            Way("a span of the past", .span(from: .milliseconds(-100), to: .milliseconds(-50), nth: 1)),
        ]

        /// Requests that do not wait for a frame for an hour.
        static let sleeping = [
            Way("a span in an hour", .span(from: hour - .seconds(60), to: hour, nth: 1)),
            Way("an hour between", .count(2, every: hour)),
            Way("an hour between, of the past", fresh: .at(.zero), .count(2, every: hour)),
        ]

        private static func take(
            _ way: Way,
            _ stage: Stage,
            storing: @escaping @Sendable () async -> Void = {}
        ) async throws(Problem) -> StillList {
            let request = StillRequest(
                fresh: way.fresh,
                deadline: .seconds(20),
                burst: way.burst,
                settle: .never,
                average: way.average
            )
            return try await stage.burst(request) { _ in await storing() }
        }

        @Test func `a cold camera closes while burst stills are stored`() async throws {
            let gate = OddControls.Flag()
            let burst = Way("consecutive frames", .count(3, every: .zero))
            try await Stage.run("MJPG:256x64@50", warmth: .cold) { stage in
                async let stills = Self.take(burst, stage) { _ = await TestClock().reaches { gate.isSet } }
                #expect(await TestClock().reaches { stage.counters.captured >= 3 && stage.log.open == 0 })
                gate.set()
                let taken = try await stills.stills.count
                #expect(taken == 3)
            }
        }

        /// Runs `body` once the ring of a hot camera is filled.
        private static func run(_ warmth: Warmth = .hot, _ body: (Stage) async throws -> Void) async throws {
            let ring = RingConfiguration(seconds: 5, quality: StillRequest.defaultQuality)
            let configuration = SessionConfiguration(warmth: warmth, ring: ring)
            try await Stage.run(list: ["MJPG:256x64@50"], configuration: configuration) { stage in
                if warmth == .hot { try #require(await stage.fillsRing(.milliseconds(300))) }
                try await body(stage)
            }
        }

        @Test(arguments: ways + sleeping)
        func `rejects every kind of request if all places are taken`(_ way: Way) async throws {
            try await Self.run { stage in
                let room = stage.session.dispatcher.limiter
                var places: [RequestLimiter.Place] = []
                while places.count < RequestLimiter.placesOfCamera { places.append(try room.enter()) }
                let problem = await expectProblem(.tooManyRequests) { try await Self.take(way, stage) }
                #expect(problem?.retryAfterMs != nil)
                #expect(!stage.session.dispatcher.need.isInDemand)
                withExtendedLifetime(places) {}
                places = []
                #expect(room.taken == 0)
            }
        }

        @Test(arguments: ways)
        func `each request occupies one place until it ends`(_ way: Way) async throws {
            try await Self.run { stage in
                let room = stage.session.dispatcher.limiter
                // A single still no longer waits when it is stored. The encoding thread releases the clients of a
                // frame shortly after they have it.
                let held = way.burst == nil ? 0 : 1
                let list = try await Self.take(way, stage) {
                    let isRight = await TestClock().reaches { room.taken == held }
                    #expect(isRight, "\(room.taken)")
                }
                #expect(!list.stills.isEmpty)
                #expect(await TestClock().reaches { room.taken == 0 })
            }
        }

        @Test(arguments: sleeping)
        func `a sleeping burst keeps its place until cancelled`(_ way: Way) async throws {
            try await Self.run { stage in
                let room = stage.session.dispatcher.limiter
                let stored = Mutex(0)
                let task = Task { try await Self.take(way, stage) { stored.withLock { $0 += 1 } } }
                if case .count = way.burst {
                    #expect(await TestClock().reaches { stored.withLock { $0 } == 1 })
                }
                #expect(await TestClock().reaches { room.taken == 1 })
                // The burst waits for no frame, and arriving frames do not wake it.
                #expect(await stage.captures(10))
                #expect(room.taken == 1 && !stage.session.dispatcher.need.isAwaited)
                task.cancel()
                #expect(await failure { try await task.value }?.code == .stopping)
                #expect(await TestClock().reaches { room.taken == 0 })
            }
        }

        @Test func `a future span ends if the camera is stopped`() async throws {
            try await Stage.run("YUYV:256x64@50", warmth: .cold) { stage in
                var request = StillRequest(fresh: .next)
                request.burst = .span(from: .milliseconds(10_300), to: .seconds(11), nth: 1)
                let place = try stage.session.dispatcher.limiter.enter()
                var stills = ConsecutiveStills(stage.session, request, TestClock().now, in: place)
                defer { stills.close() }
                try await stage.session.stop()
                do throws(Problem) {
                    _ = try await stills.next()
                    Issue.record("it goes on")
                } catch {
                    #expect(error.code == .stopping)
                }
                #expect(stage.log.openings == 0)
            }
        }

        @Test func `a span in an hour does not open the camera yet`() async throws {
            try await Self.run(.cold) { stage in
                let task = Task { try await Self.take(Self.sleeping[0], stage) }
                #expect(await TestClock().reaches { stage.session.dispatcher.limiter.taken == 1 })
                task.cancel()
                _ = await task.result
                #expect(await TestClock().reaches { stage.session.dispatcher.limiter.taken == 0 })
                #expect(stage.log.opened == 0)
            }
        }
    }
}
