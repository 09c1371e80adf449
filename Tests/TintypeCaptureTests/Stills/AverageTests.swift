// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    struct AverageTests {
        private func take(_ count: Int, _ stage: Stage, deadline: Duration = .seconds(20)) async throws(Problem)
            -> Still
        {
            try await stage.stills.take(StillRequest(deadline: deadline, average: count))
        }

        @Test(arguments: ["YUYV:128x96@50", "MJPG:128x96@50", "BA81:128x96@50"])
        func `averages consecutive frames into one still`(pattern: String) async throws {
            try await Stage.run(pattern) { stage in
                let still = try await take(5, stage)
                let taken = stage.renders.all.map(\.ordinal)
                #expect(taken.count == 5 && Set(taken).count == 5)
                #expect(taken.max() == (taken.min() ?? 0) + 4, "\(taken)")
                #expect(still.record.average == 5)
                #expect(UInt64(still.record.sequence) <= taken.min() ?? 0)
                #expect(stage.counters.encoded == 1 && stage.counters.stills == 1)
                #expect(still.record.waitedMs.map { $0.duration < .seconds(5) } == true)
                let alone = try await take(1, stage)
                #expect(alone.record.average == nil)
            }
        }

        @Test func `concurrent averages share frames and encode`() async throws {
            try await Stage.run("YUYV:128x96@5", warmth: .hot) { stage in
                _ = try await stage.take(.next)
                let before = stage.renders.all.count
                let stills = try await atOnce(8) { _ in try await take(3, stage) }
                #expect(Set(stills.map(\.record.sequence)).count == 1)
                #expect(stage.renders.all.count == before + 3)
            }
        }

        @Test func `a damaged frame is replaced by the next`() async throws {
            try await Stage.run("MJPG:128x96@50,cut-every=3") { stage in
                let still = try await take(6, stage)
                #expect((still.record.skipped?[.corrupt] ?? 0) >= 2)
                #expect(still.record.verdict != .damaged)
            }
        }

        @Test func `an average restarts when the source changes`() async throws {
            try await Stage.run("YUYV:128x96@50,change-after=4:64x48") { stage in
                let still = try await take(6, stage)
                #expect(still.record.width == 64 && still.record.height == 48)
                let second = stage.renders.all.filter { $0.stream == 2 }
                #expect(second.count == 6)
            }
        }

        @Test func `the deadline covers all frames of an average`() async throws {
            try await Stage.run("YUYV:128x96@10", warmth: .cold) { stage in
                await expectProblem(.deadlineExceeded, "(fewer than 64 frames to average came") {
                    try await take(64, stage, deadline: .milliseconds(700))
                }
                #expect(await TestClock().reaches { stage.log.open == 0 })
                #expect(!stage.session.dispatcher.need.isInDemand)
            }
        }
    }
}
