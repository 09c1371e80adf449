// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    /// Commands are answered within a second, whatever the camera is doing.
    struct EveryStateTests {
        /// What the camera is doing when the command comes.
        enum Situation: String, CaseIterable, CustomTestStringConvertible {
            case off, opening, starting, settling, running, waiting, stalled, backoff, hanging

            var testDescription: String { rawValue }

            /// What is there at the first opening, and at all others.
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

            /// Whether a driver call does not return for two seconds.
            var hangs: Bool { [.opening, .starting, .hanging].contains(self) }
        }

        /// Runs `body` on a session in that situation.
        private func run(_ situation: Situation, _ body: (Stage) async throws -> Void) async throws {
            let (first, later) = situation.patterns
            let warmth: Warmth = situation == .off ? .cold : .linger(.seconds(60))
            try await Stage.run(first, later, warmth: warmth, endsCleanly: false) { stage in
                // A client that asked before: most situations need one.
                let asked = Task { situation == .off ? nil : try? await stage.session.start() }
                let waiter = Task { situation == .waiting ? try? await stage.take(deadline: .seconds(30)) : nil }
                let session = stage.session
                // A moment while the call hangs, or the clock would go on to its end.
                if situation.hangs { try await TestClock().sleep(for: .milliseconds(500)) }
                let isReached = await TestClock().reaches {
                    switch situation {
                    case .off: session.status.state == .off
                    case .opening, .starting, .hanging: session.calls.stuck(longerThan: .milliseconds(100)) != nil
                    case .settling: session.status.state == .settling && session.status.counters.flagged > 2
                    case .running: session.status.state == .running
                    case .waiting: session.hub.isInDemand && session.status.state == .settling
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
                // The next time-out of poll(2) would be the stall limit, 2 s.
                if !situation.hangs { #expect(stage.log.open == 0) }
                // Answered or not: closed as soon as the driver lets it be.
                #expect(await TestClock().reaches { stage.log.open == 0 && stage.session.status.state == .off })
                #expect(stage.session.status.isStarted == false)
            }
        }

        @Test(arguments: Situation.allCases)
        func `a configuration is applied or refused within a second in every state`(_ situation: Situation)
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
                // Not at all: a client that was told that it failed does not find it done later.
                #expect(await TestClock().reaches { stage.session.calls.stuck(longerThan: .zero) == nil })
                _ = try await stage.session.release(ReleaseRequest())
                #expect(stage.session.status.warmth == .linger(.seconds(60)))
            }
        }

        @Test(arguments: Situation.allCases)
        func `the end is answered within a second in every state`(_ situation: Situation) async throws {
            try await run(situation) { stage in
                let (hasEnded, taken) = await time { await stage.session.end(within: .milliseconds(500)) }
                #expect(taken < .seconds(1), "\(taken)")
                #expect(hasEnded == !situation.hangs)
                #expect(hasEnded == (stage.session.status.state == .off))
            }
        }

        @Test func `a stop whose own driver call hangs is answered within a second`() async throws {
            try await Stage.run("YUYV:256x64@50,hang-at=STREAMOFF,hang=2s", warmth: .hot) { stage in
                #expect(await stage.session.reaches(.running))
                let (refusal, taken) = await time { await failure { try await stage.session.stop() } }
                #expect(taken < .seconds(1), "\(taken)")
                #expect(refusal?.code == .driverStuck)
                #expect(refusal?.detail.hasPrefix("VIDIOC_STREAMOFF on the camera pattern has not returned") == true)
                #expect(await TestClock().reaches { stage.log.open == 0 && stage.session.status.state == .off })
            }
        }

        /// Wakes the camera's thread as often as it can until that many frames were captured.
        private func isCaptured(_ count: UInt64, waking stage: Stage) async -> Bool {
            await TestClock().reaches {
                for _ in 0..<20 { stage.session.thread.wake() }
                return stage.counters.captured >= count
            }
        }

        @Test func `a wake without a frame is no frame and no failure (event-wakes-but-no-frame)`() async throws {
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
