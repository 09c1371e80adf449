// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    struct HoldTests {
        private func hold(_ stage: Stage, _ owner: String = "ann", for duration: Duration = .seconds(3600))
            async throws(Problem) -> CameraHold
        {
            try await stage.session.hold(HoldRequest(owner: owner, duration: duration))
        }

        private func owners(_ stage: Stage) -> [String] { stage.session.status.holds.map(\.owner) }

        @Test func `a held camera streams until its release`() async throws {
            try await Stage.run("YUYV:256x64@100", warmth: .cold) { stage in
                let asked = TestClock().wall
                let lease = try await hold(stage)
                #expect(lease.owner == "ann")
                let left = Double(lease.until.microseconds - asked.microseconds) / 1_000_000
                #expect(left > 3599 && left < 3660, "\(left) s")
                // Renewing a hold never shortens it.
                let again = try await hold(stage, for: .seconds(60))
                #expect(abs(again.until.microseconds - lease.until.microseconds) < 1_000_000)
                #expect(owners(stage) == ["ann"])
                #expect(await TestClock().reaches { stage.counters.captured >= 20 })
                // A still ends; the hold continues.
                _ = try await stage.take()
                #expect(stage.log.openings == 1)
                #expect(try await stage.session.release(ReleaseRequest(owner: "ann")).isEmpty)
                #expect(stage.log.open == 0)
                #expect(stage.session.status.state == .off)
                #expect(owners(stage).isEmpty)
            }
        }

        @Test func `expired holds close the camera`() async throws {
            try await Stage.run("YUYV:256x64@100", warmth: .cold) { stage in
                let start = TestClock().now
                _ = try await hold(stage, for: .milliseconds(300))
                _ = try await hold(stage, "bob", for: .milliseconds(200))
                #expect(await stage.session.reaches(.off))
                #expect(stage.log.open == 0)
                #expect(TestClock().now - start >= .milliseconds(300))
                #expect(owners(stage).isEmpty)
                #expect(stage.log.openings == 1)
            }
        }

        @Test func `lingering starts at the end of the last hold`() async throws {
            try await Stage.run("YUYV:256x64@100", warmth: .linger(.milliseconds(300))) { stage in
                _ = try await hold(stage)
                _ = try await hold(stage, "bob")
                #expect(try await stage.session.release(ReleaseRequest(owner: "ann")).map(\.owner) == ["bob"])
                #expect(stage.log.open == 1)
                let released = TestClock().now
                #expect(try await stage.session.release(ReleaseRequest()).isEmpty)
                #expect(await TestClock().reaches { stage.log.open == 0 })
                #expect(TestClock().now - released >= .milliseconds(300))
            }
        }

        @Test func `a held camera reopens after a loss`() async throws {
            let pattern = "YUYV:256x64@50"
            try await Stage.run(pattern + ",lose-after=4", pattern + ",busy", pattern, warmth: .cold) { stage in
                _ = try await hold(stage)
                #expect(await stage.runs(afterOpenings: 2))
                #expect(owners(stage) == ["ann"])
                #expect(stage.counters.interrupted == 2)
                _ = try await stage.session.release(ReleaseRequest())
                #expect(stage.log.open == 0)
            }
        }

        @Test func `a hold can be extended during an outage`() async throws {
            try await Stage.run("YUYV:256x64@50,lose-after=4", "YUYV:256x64@50,busy", warmth: .cold) { stage in
                let first = try await hold(stage, for: .seconds(60))
                #expect(await stage.session.reaches { $0.reason?.code == .cameraBusy })
                let second = try await hold(stage, for: .seconds(600))
                #expect(second.until.microseconds - first.until.microseconds > 500_000_000)
                #expect(await failure { try await hold(stage, "bob") }?.code == .cameraBusy)
                #expect(owners(stage) == ["ann"])
                #expect(stage.session.status.state.name == .interrupted)
                // No client wants the camera any more: attempts stop.
                _ = try await stage.session.release(ReleaseRequest())
                #expect(await stage.session.reaches(.failed))
                #expect(stage.log.open == 0)
            }
        }

        @Test func `a camera that cannot be opened is not held`() async throws {
            try await Stage.run("YUYV:256x64@100,busy", "YUYV:256x64@100", warmth: .cold) { stage in
                #expect(await failure { try await hold(stage) }?.code == .cameraBusy)
                #expect(owners(stage).isEmpty)
                #expect(await stage.session.reaches(.failed))
                #expect(stage.log.openings == 1 && stage.log.open == 0)
            }
        }

        @Test func `an unanswered hold does not take effect`() async throws {
            try await Stage.run("YUYV:256x64@100,hang-at=open,hang=13s", warmth: .cold) { stage in
                let began = TestClock().now
                await expectProblem(.driverStuck) { try await hold(stage) }
                #expect(TestClock().now - began >= .seconds(10))
                // Queued behind a hanging driver and never started.
                let given = Task { try await hold(stage, "bob") }
                given.cancel()
                #expect([.stopping, .driverStuck].contains(await failure { try await given.value }?.code))
                #expect(await TestClock().reaches { stage.log.opened == 1 && stage.log.open == 0 })
                #expect(await stage.session.reaches(.off))
                #expect(owners(stage).isEmpty)
                #expect(stage.log.openings == 1)
            }
        }

        @Test func `hold and start wait for a slow open`() async throws {
            try await Stage.run("YUYV:256x64@100,hang-at=open,hang=2s", warmth: .cold) { stage in
                _ = try await hold(stage, for: .seconds(60))
                #expect(owners(stage) == ["ann"] && stage.log.open == 1)
            }
            try await Stage.run("YUYV:256x64@100,hang-at=open,hang=2s", warmth: .cold) { stage in
                _ = try await stage.session.start()
                #expect(stage.session.status.isStarted && stage.log.open == 1)
            }
        }

        @Test func `rejects a hold requested before a stop`() async throws {
            try await Stage.run("YUYV:256x64@100", warmth: .cold) { stage in
                let stops = stage.session.stopCount
                try await stage.session.stop()
                let request = HoldRequest(owner: "ann", duration: .seconds(60))
                await expectProblem(.stopping) { try await stage.session.hold(request, ifStopped: stops) }
                #expect(owners(stage).isEmpty && stage.log.openings == 0)
                // A hold with the current stop count is rejected too: it only extends an open camera.
                let stopCount = stage.session.stopCount
                await expectProblem(.stopping) { try await stage.session.hold(request, ifStopped: stopCount) }
                #expect(stage.log.openings == 0)
                _ = try await stage.session.hold(request)
                #expect(owners(stage) == ["ann"])
            }
        }

        @Test func `rejects a still requested before a stop`() async throws {
            try await Stage.run("YUYV:256x64@100", warmth: .cold) { stage in
                let stops = stage.session.stopCount
                try await stage.session.stop()
                let request = StillRequest(fresh: .latest)
                await expectProblem(.stopping) { try await stage.stills.take(request, ifStopped: stops) }
                #expect(stage.log.openings == 0)
                #expect(stage.session.stop(since: stops)?.code == .stopping)
                #expect(stage.session.stop(since: stage.session.stopCount) == nil)
            }
        }

        @Test func `a release leaves a hold that is needed`() async throws {
            try await Stage.run("YUYV:256x64@100", warmth: .cold) { stage in
                _ = try await hold(stage)
                #expect(try await stage.session.release(ReleaseRequest(owner: "ann")) { true }.map(\.owner) == ["ann"])
                #expect(owners(stage) == ["ann"] && stage.log.open == 1)
                #expect(try await stage.session.release(ReleaseRequest(owner: "ann")) { false }.isEmpty)
                #expect(owners(stage).isEmpty && stage.log.open == 0)
            }
        }

        @Test func `a still clears the stopped state`() async throws {
            try await Stage.run("YUYV:256x64@100", warmth: .cold) { stage in
                #expect(!stage.session.isStopped)
                try await stage.session.stop()
                #expect(stage.session.isStopped)
                _ = try await stage.take()
                #expect(await stage.session.reaches(.off))
                #expect(!stage.session.isStopped && stage.log.openings == 1)
            }
        }

        @Test(arguments: [true, false])
        func `an abandoned hold or start leaves a stopped camera closed`(_ isHold: Bool) async throws {
            let patterns = ("YUYV:256x64@100", "YUYV:256x64@100,hang-at=open,hang=1s")
            try await Stage.run(patterns.0, patterns.1, warmth: .hot) { stage in
                #expect(await stage.session.reaches(.running))
                try await stage.session.stop()
                let given = Task {
                    if isHold { _ = try await hold(stage) } else { _ = try await stage.session.start() }
                }
                #expect(await TestClock().reaches { stage.session.context.calls.stuck(longerThan: .zero) != nil })
                given.cancel()
                #expect(await failure { try await given.value }?.code == .stopping)
                #expect(await TestClock().reaches { stage.log.opened == 2 && stage.log.open == 0 })
                #expect(await stage.session.reaches(.off))
                #expect(owners(stage).isEmpty && !stage.session.status.isStarted && stage.session.isStopped)
            }
        }

        @Test func `limits holds to 32 owners`() async throws {
            try await Stage.run("YUYV:256x64@100", warmth: .cold) { stage in
                for number in 0..<32 { _ = try await hold(stage, "owner-\(number)") }
                let refused = await expectProblem(.tooManyRequests, "32 owners") { try await hold(stage, "one more") }
                #expect(refused?.retryAfterMs != nil)
                #expect(owners(stage).count == 32)
                _ = try await hold(stage, "owner-7", for: .seconds(7200))
                #expect(owners(stage).count == 32)
            }
        }

        @Test func `releasing an unknown hold names the current owners`() async throws {
            try await Stage.run("YUYV:256x64@100", warmth: .cold) { stage in
                #expect(try await stage.session.release(ReleaseRequest()).isEmpty)
                let none = await failure { try await stage.session.release(ReleaseRequest(owner: "bob")) }
                #expect(none?.code == .notFound)
                #expect(none?.detail == "No owner “bob” holds the camera pattern.")
                _ = try await hold(stage)
                let other = await failure { try await stage.session.release(ReleaseRequest(owner: "bob")) }
                #expect(other?.remedy == "It is held by ann.")
                #expect(stage.log.open == 1)
            }
        }

        @Test(arguments: [Warmth.cold, .hot, .linger(.seconds(30))])
        func `stop ends all holds and the start`(_ warmth: Warmth) async throws {
            try await Stage.run("YUYV:256x64@100", warmth: warmth) { stage in
                _ = try await stage.session.start()
                #expect(stage.session.status.isStarted)
                _ = try await hold(stage)
                try await stage.session.stop()
                #expect(stage.log.open == 0)
                #expect(owners(stage).isEmpty)
                #expect(!stage.session.status.isStarted)
                // A further answered command proves that the session has run through its steps.
                _ = try await stage.session.release(ReleaseRequest())
                #expect(stage.log.openings == 1)
                #expect(stage.session.status.warmth == warmth)
            }
        }
    }
}
