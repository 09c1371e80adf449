// SPDX-License-Identifier: Apache-2.0
import Logging
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    struct RecoveryTests {
        /// Takes stills until one fails.
        private func firstProblem(_ stage: Stage) async -> Problem? {
            for _ in 0..<1000 {
                if let problem = await failure({ try await stage.take() }) { return problem }
            }
            return nil
        }

        @Test(arguments: [Warmth.cold, .linger(.seconds(30))])
        func `a lost camera fails its clients and reopens on the next request`(_ warmth: Warmth) async throws {
            let faults = FaultFile()
            try await Stage.run("YUYV:256x64@50,faults=\(faults.path)", warmth: warmth) { stage in
                _ = try await stage.take()
                try faults.set("lose-after=0,gone")
                let problem = await firstProblem(stage)
                #expect(problem?.code == .deviceLost)
                #expect(stage.counters.interrupted >= 1)
                try faults.heal()
                _ = try await stage.take().code()
                #expect(await TestClock().reaches { stage.log.open <= 1 })
            }
        }

        @Test func `a hot camera reopens without a client`() async throws {
            let pattern = "YUYV:256x64@50"
            try await Stage.run(pattern + ",lose-after=4", pattern + ",busy", pattern, warmth: .hot) { stage in
                #expect(await stage.runs(afterOpenings: 2))
                #expect(stage.log.openings == 3)
                #expect(stage.counters.interrupted == 2)
            }
        }

        @Test func `an interrupted camera reports its reason and next attempt`() async throws {
            try await Stage.run("YUYV:256x64@50,lose-after=4", "YUYV:256x64@50,busy", warmth: .hot) { stage in
                #expect(await stage.session.reaches { $0.reason?.code == .cameraBusy })
                #expect(await stage.session.reaches(.interrupted))
                let since = try #require(stage.session.status.state.since)
                #expect(await TestClock().reaches { stage.log.openings >= 3 })
                #expect(await TestClock().reaches { stage.log.open == 0 })
                #expect(await stage.session.reaches(.interrupted))
                // Further attempts do not begin it anew.
                #expect(stage.session.status.state.since == since)
                #expect(await stage.session.reaches { $0.attempt.map { $0.after > .zero } == true })
            }
        }

        @Test func `a stopped camera has no failure`() async throws {
            try await Stage.run("YUYV:256x64@50,lose-after=4", "YUYV:256x64@50,busy", warmth: .hot) { stage in
                #expect(await stage.session.reaches(.interrupted))
                #expect(stage.session.published.snapshot.failure != nil)
                try await stage.session.stop()
                #expect(stage.session.status.state == .off && stage.session.published.snapshot.failure == nil)
            }
        }

        @Test(arguments: ["STREAMON:EIO", "S_FMT:EPIPE", "STREAMON:ETIMEDOUT"])
        func `requests do not shorten the retry delay of a failing camera`(_ failure: String) async throws {
            try await Stage.run("YUYV:256x64@50,fail=\(failure)") { stage in
                let began = TestClock().now
                while TestClock().now - began < .seconds(15) {
                    await expectProblem(.cameraFault) { try await stage.take(deadline: .milliseconds(400)) }
                }
                // Attempts at 0 s, then 0.25, 0.5, 1 and 2 s apart, each up to a fifth sooner.
                #expect((8...13).contains(stage.log.openings), "\(stage.log.openings)")
            }
        }

        @Test func `a stalled stream is reopened for waiting clients`() async throws {
            try await Stage.run("YUYV:256x64@50,stall-after=3", "YUYV:256x64@50", warmth: .hot) { stage in
                #expect(await TestClock().reaches { stage.counters.captured >= 3 })
                let still = try await stage.take()
                #expect(try still.code().number >= 1)
                #expect(stage.counters.interrupted == 1)
                #expect(stage.counters.opened == 2)
            }
        }

        @Test func `a hanging driver call does not block clients`() async throws {
            try await Stage.run("YUYV:256x64@50,hang-after=5,hang=30s", endsCleanly: false) { stuck in
                let start = TestClock().now
                #expect(await firstProblem(stuck)?.code == .driverStuck)
                // Reported after ten seconds, long before the deadline.
                #expect(TestClock().now - start < .seconds(13))
                // The fastest of several: the machine may be busy, but the session must not block.
                let times = (0..<5).map { _ in
                    let asked = TestClock().now
                    let status = stuck.session.status
                    #expect(status.state.reason?.code == .driverStuck)
                    #expect(status.stuckCall?.name == "VIDIOC_DQBUF")
                    return TestClock().now - asked
                }
                #expect(times.contains { $0 < .milliseconds(20) })
                await #expect(throws: Problem.self) { try await stuck.take() }
                await #expect(throws: Problem.self) { try await stuck.session.formats() }
                try await Stage.run("YUYV:256x64@50") { other in _ = try await other.take().code() }
                let stopped = TestClock().now
                #expect(await stuck.session.end(within: .milliseconds(500)) == false)
                #expect(TestClock().now - stopped < .seconds(3))
            }
        }

        @Test func `a driver call that hangs for ten seconds is reported without a client`() async throws {
            try await Stage.run("YUYV:256x64@50,hang-after=5,hang=14s", warmth: .hot) { stage in
                func ran(_ time: Duration) async -> Bool {
                    await TestClock().reaches { (stage.session.status.stuckCall?.runningMs.duration ?? .zero) > time }
                }
                #expect(await ran(.seconds(5)))
                #expect(stage.session.status.state.reason?.code == .driverStuck)
                #expect(stage.told.all.allSatisfy { $0.kind == .cameraState } && stage.messages.loud.isEmpty)
                #expect(await ran(.seconds(11)))
                #expect(stage.told.all.last?.kind == .cameraLost && stage.messages.loud.map(\.level) == [.warning])
                #expect(await TestClock().reaches { stage.told.all.last?.kind == .cameraBack })
                #expect(stage.told.all.map(\.kind).filter { $0 != .cameraState } == [.cameraLost, .cameraBack])
                #expect(stage.messages.loud.map(\.level) == [.warning, .notice])
            }
        }

        @Test func `the camera recovers when a hanging driver call returns`() async throws {
            try await Stage.run("YUYV:256x64@50,hang-after=5,hang=12s") { stage in
                #expect(await firstProblem(stage)?.code == .driverStuck)
                #expect(await TestClock().reaches { stage.session.context.stuckProblem() == nil })
                #expect(await TestClock().reaches { stage.messages.loud.map(\.level) == [.warning, .notice] })
                #expect(stage.messages.loud.first?.text.contains("has not returned") == true)
                _ = try await stage.take().code()
            }
        }

        @Test(arguments: ["", ",buffers=2", ",buffers=3,undated"])
        func `a hanging encoder does not starve the driver`(_ fault: String) async throws {
            let gate = Gate()
            try await Stage.run("YUYV:256x64@100\(fault)", warmth: .hot, rendering: gate.rendering) { stage in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for count in 1...6 {
                        group.addTask { _ = try await stage.take().code() }
                        // Each still gets a frame of its own while all encoding threads hang.
                        #expect(await TestClock().reaches { stage.session.dispatcher.isEncoding(count) })
                    }
                    #expect(await stage.captures(30))
                    gate.open()
                    try await group.waitForAll()
                }
            }
        }
    }
}
