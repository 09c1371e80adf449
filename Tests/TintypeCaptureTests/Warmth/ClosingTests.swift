// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    /// Closing of the device, which turns its LED off.
    struct ClosingTests {
        @Test(arguments: [Warmth.linger(.seconds(3600)), .cold])
        func `a camera closes at once if its only client leaves`(_ warmth: Warmth) async throws {
            try await Stage.run("YUYV:256x64@0.1", warmth: warmth) { stage in
                for opening in 1...3 {
                    let asking = Task { try await stage.take(deadline: .seconds(60)) }
                    #expect(await TestClock().reaches { stage.log.open == 1 })
                    asking.cancel()
                    await #expect(throws: Problem.self) { try await asking.value }
                    #expect(await TestClock().reaches { stage.log.open == 0 })
                    #expect(await stage.session.reaches(.off))
                    #expect(stage.log.openings == opening)
                }
            }
        }

        @Test func `a camera closes if its client leaves while frames arrive`() async throws {
            try await Stage.run("YUYV:256x64@10", warmth: .linger(.seconds(3600))) { stage in
                let asking = Task {
                    try await stage.stills.take(StillRequest(deadline: .seconds(60), settle: .never, average: 64))
                }
                #expect(await TestClock().reaches { stage.session.status.counters.captured > 5 })
                asking.cancel()
                await #expect(throws: Problem.self) { try await asking.value }
                #expect(await stage.session.reaches(.off))
                #expect(stage.log.open == 0)
            }
        }

        @Test func `a camera stays open for its other clients`() async throws {
            try await Stage.run("YUYV:256x64@0.5", warmth: .linger(.seconds(3600))) { stage in
                let patient = Task { try await stage.take(deadline: .seconds(60)) }
                let impatient = Task { try await stage.take(deadline: .seconds(60)) }
                #expect(await TestClock().reaches { stage.session.dispatcher.awaited == 2 })
                impatient.cancel()
                await #expect(throws: Problem.self) { try await impatient.value }
                _ = try await patient.value
                // Another client used the camera to the end: it lingers, and a departing client does not change that.
                let third = Task { try await stage.take(deadline: .seconds(60)) }
                #expect(await TestClock().reaches { stage.session.dispatcher.need.isInDemand })
                third.cancel()
                await #expect(throws: Problem.self) { try await third.value }
                _ = try await stage.session.release(ReleaseRequest())
                #expect(stage.log.open == 1)
                #expect(stage.log.openings == 1)
            }
        }

        @Test func `a client that waited to its deadline counts as use`() async throws {
            try await Stage.run("YUYV:256x64@0.1", warmth: .linger(.milliseconds(500))) { stage in
                await #expect(throws: Problem.self) { try await stage.take(deadline: .milliseconds(100)) }
                let end = TestClock().now
                #expect(await TestClock().reaches { stage.log.open == 0 })
                #expect(TestClock().now - end >= .milliseconds(450))
            }
        }

        @Test func `a camera stopped during encoding stays closed`() async throws {
            let gate = Gate()
            try await Stage.run("YUYV:256x64@100", warmth: .hot, rendering: gate.rendering) { stage in
                let asking = Task { try await stage.take(deadline: .seconds(30)) }
                #expect(await TestClock().reaches { stage.session.dispatcher.isEncoding(1) })
                let openings = stage.log.openings
                try await stage.session.stop()
                #expect(stage.log.open == 0)
                #expect(await failure { try await asking.value }?.code == .stopping)
                gate.open()
                #expect(await TestClock().reaches { !stage.session.dispatcher.need.isInDemand })
                // A further answered command proves that the session has run through its steps.
                _ = try await stage.session.release(ReleaseRequest())
                #expect(stage.log.open == 0 && stage.log.openings == openings)
                #expect(await stage.session.reaches(.off))
            }
        }
    }
}
