// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    struct ManyCamerasTests {
        /// A number of cameras and the seed of the random commands.
        struct Run: CustomTestStringConvertible, Sendable {
            let count: Int
            let seed: UInt64
            var testDescription: String { "\(count) cameras, seed \(seed)" }
        }

        @Test(
            arguments: [Run(count: 8, seed: 1), Run(count: 8, seed: 2), Run(count: 32, seed: 3)]
        )
        func `cameras work independently under random commands`(_ run: Run) async throws {
            // The thread of a camera keeps its opener, and with it the log, until it ends.
            var logs: [() -> DeviceLog?] = []
            try await Crowd.run(Array(repeating: "YUYV:256x64@20", count: run.count), warmth: .cold) { crowd in
                logs = crowd.members.map { member in { [weak log = member.log] in log } }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (index, member) in crowd.members.enumerated() {
                        group.addTask {
                            var actor = Actor(member, seed: run.seed * 1000 + UInt64(index))
                            for _ in 0..<15 { try await actor.act() }
                        }
                    }
                    try await group.waitForAll()
                }
                for member in crowd.members {
                    try await member.session.stop()
                    #expect(member.log.open == 0)
                    #expect(member.session.status.counters.interrupted == 0)
                }
            }
            #expect(await TestClock().reaches { logs.allSatisfy { $0() == nil } })
        }

        @Test func `a faulty camera delays and restarts no other (one-camera-stall-restarts-all)`() async throws {
            let troubled = ["stall-after=5", "hang-after=5,hang=8s", "lose-after=2", "busy"]
            let patterns = troubled.map { "YUYV:256x64@20,\($0)" } + Array(repeating: "YUYV:256x64@20", count: 8)
            try await Crowd.run(patterns, warmth: .hot) { crowd in
                let (ill, well) = (crowd.members.prefix(4), crowd.members.dropFirst(4))
                #expect(await TestClock().reaches { well.allSatisfy { $0.session.status.state == .running } })
                #expect(await TestClock().reaches { ill[1].session.context.stuckProblem() != nil })
                var waits: [Duration] = []
                for _ in 0..<5 {
                    for member in well {
                        waits.append(try #require(try await member.take().record.waitedMs).duration)
                    }
                }
                // The call still hangs: a shared thread, queue or lock would have delayed another camera.
                #expect(ill[1].session.context.stuckProblem() != nil)
                #expect(waits.sorted()[waits.count / 2] < .milliseconds(100), "\(waits)")
                #expect(waits.allSatisfy { $0 < .seconds(1) }, "\(waits)")
                let lost = [0, 2, 3].map { ill[$0].session }
                #expect(await TestClock().reaches { lost.allSatisfy { $0.status.counters.interrupted > 0 } })
                for member in well {
                    #expect(member.log.openings == 1)
                    #expect(member.session.status.counters.interrupted == 0)
                }
            }
        }

        /// Sends random commands to one camera and checks their effect.
        private struct Actor {
            private let member: Crowd.Member
            private var random: SeededGenerator
            private var isStarted = false
            private var owners: Set<String> = []
            private var openings = 0

            init(_ member: Crowd.Member, seed: UInt64) {
                self.member = member
                random = SeededGenerator(seed: seed)
            }

            private var isOpen: Bool { isStarted || !owners.isEmpty }

            mutating func act() async throws {
                let (session, owner) = (member.session, "owner-\(Int.random(in: 0..<3, using: &random))")
                let wasOpen = isOpen
                switch Int.random(in: 0..<6, using: &random) {
                case 0:
                    _ = try await session.start()
                    isStarted = true
                case 1:
                    _ = try await session.hold(HoldRequest(owner: owner, duration: .seconds(3600)))
                    owners.insert(owner)
                case 2:
                    try await session.stop()
                    (isStarted, owners) = (false, [])
                case 3:
                    _ = try? await session.release(ReleaseRequest(owner: owner))
                    owners.remove(owner)
                case 4:
                    let before = TestClock().now
                    let still = try await member.take()
                    #expect(try still.code().microseconds >= UInt64(before.nanoseconds / 1000))
                    if !isOpen { openings += 1 }
                default:
                    let size = FrameSize(width: Int.random(in: 64...256, using: &random), height: 64)
                    let wish = SessionConfiguration(format: FormatWish(size: .near(size)), warmth: .cold)
                    let report = try await session.apply(wish)
                    #expect(report.granted != nil)
                    // Reopened unless the random size equals the current one.
                    openings = member.log.openings
                }
                if isOpen, !wasOpen { openings += 1 }
                let (isOpen, openings, log) = (isOpen, openings, member.log)
                #expect(await TestClock().reaches { log.open == (isOpen ? 1 : 0) })
                #expect(log.openings == openings)
                #expect(session.status.holds.map(\.owner) == owners.sorted())
            }
        }
    }
}
