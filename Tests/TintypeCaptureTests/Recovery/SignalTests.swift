// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    /// An input without a signal on a device with source-change events.
    struct SignalTests {
        private static let silent = "YUYV:256x64@50,input=HDMI:no-signal"
        private static let good = "YUYV:256x64@50"

        @Test func `a camera without a signal reopens only on a source change`() async throws {
            let line = SourceLine()
            try await Stage.run(Self.silent, Self.good, warmth: .hot, line: line) { stage in
                #expect(await stage.session.reaches(.interrupted))
                try await TestClock().sleep(for: .seconds(4))
                line.tell(.endOfStream)
                try await TestClock().sleep(for: .seconds(4))
                #expect(stage.log.openings == 1 && stage.log.open == 1)
                let began = TestClock().now
                line.tell(.sourceChanged)
                #expect(await TestClock().reaches { stage.counters.captured > 0 })
                #expect(TestClock().now - began < .seconds(1))
                #expect(stage.log.openings == 2 && stage.log.mostOpen == 1)
            }
        }

        @Test func `a missing signal is polled every 10 s without events`() async throws {
            try await Stage.run(Self.silent, Self.good, warmth: .hot, line: SourceLine()) { stage in
                #expect(await stage.session.reaches(.interrupted))
                let began = TestClock().now
                #expect(await TestClock().reaches(within: .seconds(20)) { stage.counters.captured > 0 })
                #expect(TestClock().now - began >= .seconds(9))
            }
        }

        @Test func `a source change without a signal is followed for 2 s`() async throws {
            let line = SourceLine()
            try await Stage.run(Self.silent, warmth: .hot, line: line) { stage in
                #expect(await stage.session.reaches(.interrupted))
                line.tell(.sourceChanged)
                try await TestClock().sleep(for: .seconds(3))
                let openings = stage.log.openings
                #expect(openings > 10)
                try await TestClock().sleep(for: .seconds(6))
                #expect(stage.log.openings == openings && stage.log.open == 1)
            }
        }

        @Test func `a device without a signal closes when no client waits`() async throws {
            try await Stage.run(Self.silent, line: SourceLine()) { stage in
                #expect(await failure { try await stage.take() }?.code == .noSignal)
                #expect(await TestClock().reaches { stage.log.open == 0 })
                let request = HoldRequest(owner: "me", duration: .seconds(60))
                await expectProblem(.noSignal) { try await stage.session.hold(request) }
                #expect(await TestClock().reaches { stage.log.open == 0 })
                #expect(stage.log.openings == 2)
            }
            try await Stage.run(Self.silent, warmth: .hot, line: SourceLine()) { stage in
                #expect(await TestClock().reaches { stage.log.open == 1 })
                try await stage.session.stop()
                #expect(stage.log.open == 0)
            }
        }
    }
}
