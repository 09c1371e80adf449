// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    /// Every command is answered within a second in every state.
    struct EveryStateTests {
        /// State of the camera when the command arrives.
        enum Situation: String, CaseIterable, CustomTestStringConvertible {
            case off, opening, starting, settling, running, waiting, stalled, backoff, hanging

            var testDescription: String { rawValue }

            /// Patterns of the first opening and of all others.
            var patterns: (String, String) {
                switch self {
                case .off, .running: ("YUYV:256x64@50", "YUYV:256x64@50")
                case .opening: ("YUYV:256x64@50,hang-at=open,hang=2s", "YUYV:256x64@50")
                case .starting: ("YUYV:256x64@50,hang-at=STREAMON,hang=2s", "YUYV:256x64@50")
                case .settling: ("YUYV:256x64@50,flag-every=1", "YUYV:256x64@50")
                case .waiting: ("YUYV:256x64@0.1", "YUYV:256x64@50")
                case .stalled: ("YUYV:256x64@50,stall-after=3", "YUYV:256x64@50")
                case .backoff: ("YUYV:256x64@50,lose-after=1", "YUYV:256x64@50,busy")
                case .hanging: ("YUYV:256x64@50,hang-after=3,hang=2s", "YUYV:256x64@50")
                }
            }

            /// True if a driver call hangs for two seconds.
            var hangs: Bool { [.opening, .starting, .hanging].contains(self) }
        }

        /// Runs `body` on a session in that state.
        private func run(_ situation: Situation, _ body: (Stage) async throws -> Void) async throws {
            let (first, later) = situation.patterns
            let warmth: Warmth = situation == .off ? .cold : .linger(.seconds(60))
            try await Stage.run(first, later, warmth: warmth, endsCleanly: false) { stage in
                // Most states need an earlier client.
                let asked = Task { situation == .off ? nil : try? await stage.session.start() }
                let waiter = Task { situation == .waiting ? try? await stage.take(deadline: .seconds(30)) : nil }
                let session = stage.session
                // A fixed pause: waiting for a condition would advance the clock to the end of the call.
                if situation.hangs { try await TestClock().sleep(for: .milliseconds(500)) }
                let isReached = await TestClock().reaches {
                    switch situation {
                    case .off: session.status.state == .off
                    case .opening, .starting, .hanging:
                        session.context.calls.stuck(longerThan: .milliseconds(100)) != nil
                    case .settling: session.status.state == .settling && session.status.counters.flagged > 2
                    case .running: session.status.state == .running
                    case .waiting: session.dispatcher.need.isInDemand && session.status.state == .settling
                    case .stalled: session.status.counters.captured == 3
                    case .backoff: session.status.state.reason?.code == .cameraBusy
                    }
                }
                #expect(isReached)
                try await body(stage)
                waiter.cancel()
                _ = await (asked.value, waiter.value)
            }
        }

        private func time<R>(_ body: () async throws -> R) async rethrows -> (R, Duration) {
            let start = TestClock().now
            let result = try await body()
            return (result, TestClock().now - start)
        }

        @Test(arguments: Situation.allCases)
        func `stop is answered within a second in every state (stop-waits-for-select-timeout)`(_ situation: Situation)
            async throws
        {
            try await run(situation) { stage in
                let (refusal, taken) = await time { await failure { try await stage.session.stop() } }
                #expect(taken < .seconds(1), "\(taken)")
                #expect(refusal?.code == (situation.hangs ? .driverStuck : nil))
                // The next poll(2) timeout would be the stall limit, 2 s.
                if !situation.hangs { #expect(stage.log.open == 0) }
                // The device closes as soon as the driver allows, answered or not.
                #expect(await TestClock().reaches { stage.log.open == 0 && stage.session.status.state == .off })
                #expect(stage.session.status.isStarted == false)
            }
        }

        @Test(arguments: Situation.allCases)
        func `a configuration is applied or rejected within a second in every state`(_ situation: Situation)
            async throws
        {
            try await run(situation) { stage in
                let format = FormatWish(size: .near(FrameSize(width: 64, height: 64)))
                let wish = SessionConfiguration(format: format, warmth: .linger(.seconds(77)))
                let (refusal, taken) = await time { await failure { try await stage.session.apply(wish) } }
                #expect(taken < .seconds(1), "\(taken)")
                #expect(refusal?.code == (situation.hangs ? .driverStuck : nil))
                guard situation.hangs else {
                    #expect(stage.session.status.warmth == .linger(.seconds(77)))
                    return
                }
                // A configuration reported as failed must not be applied later.
                #expect(await TestClock().reaches { stage.session.context.calls.stuck(longerThan: .zero) == nil })
                _ = try await stage.session.release(ReleaseRequest())
                #expect(stage.session.status.warmth == .linger(.seconds(60)))
            }
        }

        @Test(arguments: Situation.allCases)
        func `end returns within a second in every state`(_ situation: Situation) async throws {
            try await run(situation) { stage in
                let (hasEnded, taken) = await time { await stage.session.end(within: .milliseconds(500)) }
                #expect(taken < .seconds(1), "\(taken)")
                #expect(hasEnded == !situation.hangs)
                #expect(hasEnded == (stage.session.status.state == .off))
            }
        }

        @Test func `a stop that hangs in the driver is answered within a second`() async throws {
            try await Stage.run("YUYV:256x64@50,hang-at=STREAMOFF,hang=2s", warmth: .hot) { stage in
                #expect(await stage.session.reaches(.running))
                let (refusal, taken) = await time { await failure { try await stage.session.stop() } }
                #expect(taken < .seconds(1), "\(taken)")
                #expect(refusal?.code == .driverStuck)
                #expect(refusal?.detail.hasPrefix("VIDIOC_STREAMOFF on the camera pattern has not returned") == true)
                #expect(await TestClock().reaches { stage.log.open == 0 && stage.session.status.state == .off })
            }
        }

        /// Wakes the camera's thread continuously until `count` frames were captured.
        private func isCaptured(_ count: UInt64, waking stage: Stage) async -> Bool {
            await TestClock().reaches {
                for _ in 0..<20 { stage.session.thread.wake() }
                return stage.counters.captured >= count
            }
        }

        @Test func `a wakeup without a frame is ignored (event-wakes-but-no-frame)`() async throws {
            try await Stage.run("YUYV:256x64@5", warmth: .hot) { stage in
                #expect(await stage.session.reaches(.running))
                let last = stage.counters.captured + 4
                #expect(await isCaptured(last, waking: stage))
                #expect(stage.counters.captured < last + 4)
                #expect(stage.counters.interrupted == 0 && stage.log.openings == 1)
                let code = try await stage.take().code()
                #expect(code.number >= UInt32(last))
            }
        }
    }
}
