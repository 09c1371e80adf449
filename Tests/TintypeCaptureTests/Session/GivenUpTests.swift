// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    /// Commands that fail or whose client no longer waits.
    struct GivenUpTests {
        private static let pattern = "GREY:256x128@100"

        private func gain(_ stage: Stage) async throws -> ControlValue? {
            try await stage.session.controls.all().control(named: "gain")?.value
        }

        @Test func `a failed start during an outage keeps the earlier start in force`() async throws {
            let faults = FaultFile()
            try await Stage.run("YUYV:256x64@50,faults=\(faults.path)", warmth: .cold) { stage in
                _ = try await stage.session.start()
                try faults.set("lose-after=0,gone")
                #expect(await stage.session.reaches(.interrupted))
                await #expect(throws: Problem.self) { try await stage.session.start() }
                #expect(stage.session.status.isStarted)
                try faults.heal()
                // The start alone makes the camera reopen.
                #expect(await stage.session.reaches(.running))
                #expect(stage.session.status.isStarted)
            }
        }

        @Test func `a control rejected during a hanging call is not set later`() async throws {
            try await Stage.run(Self.pattern + ",hang-after=20,hang=3s", warmth: .hot) { stage in
                #expect(
                    await TestClock().reaches {
                        stage.session.context.calls.stuck(longerThan: .milliseconds(100)) != nil
                    }
                )
                let settings = ControlSettings(["gain": .integer(9)])
                await expectProblem(.driverStuck) { try await stage.session.controls.set(settings) }
                #expect(
                    await TestClock().reaches {
                        stage.session.context.calls.stuck(longerThan: .milliseconds(100)) == nil
                    }
                )
                let gain = try await gain(stage)
                #expect(gain == .integer(64))
            }
        }

        @Test(arguments: [nil, "night"])
        func `cancelled control settings are not applied at the next opening`(profile: String?) async throws {
            let (gate, flag) = (Gate(), OddControls.Flag())
            try await Stage.run(Self.pattern, warmth: .cold, drivers: [.slow(gate, flag)]) { stage in
                let settings = ControlSettings(["gain": .integer(9)])
                let setting = Task {
                    if let profile { return try await stage.session.controls.use(settings, named: profile) }
                    return try await stage.session.controls.set(settings)
                }
                #expect(await TestClock().reaches { flag.isSet })
                setting.cancel()
                await #expect(throws: Problem.self) { try await setting.value }
                gate.open()
                _ = try await stage.session.start()
                #expect(stage.session.status.controls?.profile == nil)
                #expect(try await gain(stage) == .integer(64))
            }
        }

        @Test func `an abandoned configuration is rolled back even after a failed attempt`() async throws {
            let also = "GREY:256x128@100,also=GREY:512x96@100"
            let patterns = (also, also + ",hang-at=STREAMON,hang=2s", also + ",gone", also)
            var first = SessionConfiguration(warmth: .hot)
            first.format.size = .exactly(FrameSize(width: 256, height: 128))
            try await Stage.run(patterns.0, patterns.1, patterns.2, patterns.3, configuration: first) { stage in
                #expect(await stage.session.reaches(.running))
                let old = stage.session.report.configuration
                var wanted = SessionConfiguration(warmth: .hot)
                wanted.format.size = .exactly(FrameSize(width: 512, height: 96))
                await expectProblem(.driverStuck, within: .seconds(1)) { try await stage.session.apply(wanted) }
                #expect(await TestClock().reaches { stage.log.openings >= 5 })
                #expect(await TestClock().reaches { stage.session.status.format?.size.description == "256x128" })
                #expect(await stage.session.reaches(.running))
                #expect(stage.session.report.configuration == old)
            }
        }

        @Test func `a hanging call queues at most one command and one stop`() async throws {
            try await Stage.run(Self.pattern + ",hang-after=20,hang=9s", warmth: .hot) { stage in
                #expect(await TestClock().reaches { stage.session.context.calls.stuck() != nil })
                for _ in 0..<100 {
                    await #expect(throws: Problem.self) { try await stage.session.formats() }
                    stage.session.retryNow()
                }
                #expect(stage.session.context.mailbox.commandCount <= 1)
                // Repeated stops leave a single one in the queue.
                for _ in 0..<5 { await #expect(throws: Problem.self) { try await stage.session.stop() } }
                #expect(stage.session.context.mailbox.commandCount <= 2)
                #expect(await stage.session.reaches(.off))
                #expect(stage.log.open == 0)
            }
        }

        @Test func `ending the session fails waiting commands at once`() async throws {
            let (gate, flag) = (Gate(), OddControls.Flag())
            let drivers = [OddControls.Oddity.slow(gate, flag)]
            try await Stage.run(Self.pattern, warmth: .cold, drivers: drivers, endsCleanly: false) { stage in
                let setting = Task { try await stage.session.controls.set(ControlSettings(["gain": .integer(9)])) }
                #expect(await TestClock().reaches { flag.isSet })
                let listing = Task { try await stage.session.formats() }
                let began = TestClock().now
                let ending = Task { await stage.session.end(within: .seconds(10)) }
                await expectProblem(.stopping) { try await setting.value }
                await expectProblem(.stopping) { try await listing.value }
                #expect(TestClock().now - began < .milliseconds(700))
                gate.open()
                #expect(await ending.value)
            }
        }

        @Test func `a start after the end fails without opening the device`() async throws {
            // The session ends in the test already.
            try await Stage.run(Self.pattern, warmth: .cold, endsCleanly: false) { stage in
                #expect(await stage.session.end(within: .seconds(10)))
                await expectProblem(.stopping, within: .seconds(2)) { try await stage.session.start() }
                #expect(stage.log.openings == 0)
            }
        }

        @Test func `a node is new within five seconds of its change`() {
            let changed = Timestamp(microseconds: 10_000_000)
            #expect(Recovery.isJustMade(changed: changed, now: changed + .microseconds(4_999_999)))
            #expect(!Recovery.isJustMade(changed: changed, now: changed + .seconds(5)))
            #expect(!Recovery.isJustMade(changed: changed, now: changed - .seconds(1)))
        }
    }
}
