// SPDX-License-Identifier: Apache-2.0
import Logging
import TestSupport
import Testing
import TintypeModel

@testable import TintypeCapture

struct FlappingTests {
    private let start = MonotonicTime(nanoseconds: 10_000_000_000)

    @Test func `three breaks within a minute are told once, and over a minute after the last`() throws {
        var flapping = Flapping()
        let news = [0, 3, 6, 9].map { flapping.cameBack("yard", now: start + .seconds($0)) }
        #expect(news.map { $0 != nil } == [false, false, true, false])
        let detail = try #require(news[2]).detail
        #expect(detail.contains("yard breaks off and comes back again and again: 3 times in 6 s"), "\(detail)")
        #expect(flapping.end == start + .seconds(69))
        #expect(!flapping.expire(now: start + .seconds(69) - .nanoseconds(1)) && flapping.reason == news[2])
        #expect(flapping.expire(now: start + .seconds(69)) && flapping.reason == nil && flapping.end == nil)
        #expect(flapping.cameBack("yard", now: start + .seconds(70)) == nil)
    }

    @Test func `breaks that are further apart are each on their own`() {
        var flapping = Flapping()
        let news = (0..<10).map { flapping.cameBack("yard", now: start + .seconds(30 * $0)) }
        #expect(news.allSatisfy { $0 == nil })
    }
}

extension SessionTests {
    struct FlappingSessionTests {
        @Test(.timeLimit(.minutes(1)))
        func `a stream that breaks off again and again is degraded, and told once`() async throws {
            let faults = FaultFile()
            let pattern = "YUYV:256x64@50,faults=\(faults.path)"
            try await Stage.run(pattern, warmth: .hot, endsCleanly: false) { stage in
                _ = try await stage.take()
                try faults.set("stall-after=3")
                #expect(await stage.session.reaches(.degraded))
                let reason = try #require(stage.session.status.state.reason)
                #expect(reason.code == .cameraFault && reason.detail.contains("3 times in"), "\(reason.detail)")
                let told = stage.messages.loud.count
                let states = stage.session.states()
                let watch = Task { await states.reduce(into: [StateChange]()) { $0.append($1) } }
                let opened = stage.counters.opened
                #expect(await TestClock().reaches(within: .seconds(40)) { stage.counters.opened >= opened + 4 })
                // Twice the loss and the return, and the trouble as such; no more of it since.
                #expect(told == 7 && stage.messages.loud.count == told, "\(stage.messages.loud)")
                _ = try await stage.take().code()
                try faults.heal()
                #expect(await TestClock().reaches(within: .seconds(80)) { stage.session.status.state == .running })
                #expect(stage.messages.count(.notice, "the stream lasts again") == 1)
                #expect(await stage.session.end(within: .seconds(10)))
                #expect(await watch.value.prefix(2).map(\.state.name) == [.degraded, .running])
            }
        }
    }

    struct FirstFrameTests {
        @Test(.timeLimit(.minutes(1)))
        func `a camera that needs five seconds to its first frame gives a still that has the time`() async throws {
            try await Stage.run("YUYV:256x64@50,late=5s", warmth: .cold) { stage in
                _ = try await stage.take(deadline: .seconds(30)).code()
                // After 2 s and 4 s the stream was begun again, and then it was given 8 s.
                #expect(stage.counters.opened == 3)
                #expect(await stage.session.reaches(.off))
                // It is given that from then on.
                _ = try await stage.take(deadline: .seconds(7)).code()
                #expect(stage.counters.opened == 4 && stage.counters.interrupted == 2)
            }
        }

        @Test(.timeLimit(.minutes(1)))
        func `until then a client is told that the camera may be slow to start, and not that it is gone`()
            async throws
        {
            try await Stage.run("YUYV:256x64@50,late=5s", warmth: .hot) { stage in
                let problem = await #expect(throws: Problem.self) { try await stage.take(deadline: .seconds(3)) }
                #expect(problem?.code == .deadlineExceeded || problem?.code == .cameraFault)
                #expect(await stage.session.reaches { $0.reason?.code == .cameraFault })
                #expect(stage.session.status.state.reason?.remedy.contains("slow to start") == true)
                #expect(await TestClock().reaches(within: .seconds(20)) { stage.session.status.state == .running })
            }
        }

        @Test func `the limit doubles up to 15 s, and is twice what a first frame took, 2 s at least`() {
            var first = FirstFrameLimit()
            let limits = (0..<5).map { _ in
                defer { first.grow() }
                return first.limit
            }
            #expect(limits == [2, 4, 8, 15, 15].map { .seconds($0) })
            first.learn(.seconds(4))
            #expect(first.limit == .seconds(8))
            first.learn(.milliseconds(300))
            #expect(first.limit == .seconds(2))
            first.learn(.seconds(14))
            #expect(first.limit == .seconds(15))
        }
    }

    struct CameraFaultTests {
        @Test(.timeLimit(.minutes(1)), arguments: ["STREAMON:EIO", "S_FMT:EPIPE", "STREAMON:ETIMEDOUT"])
        func `a camera that refuses is at fault, and no request has it tried before its time`(_ failure: String)
            async throws
        {
            try await Stage.run("YUYV:256x64@50,fail=\(failure)") { stage in
                let began = TestClock().now
                var codes: Set<ProblemCode> = []
                while TestClock().now - began < .seconds(15) {
                    let problem = await #expect(throws: Problem.self) {
                        try await stage.take(deadline: .milliseconds(400))
                    }
                    if let problem { codes.insert(problem.code) }
                }
                #expect(codes == [.cameraFault])
                // Now, and 0.25, 0.5, 1, and then 2 s later, up to a fifth sooner.
                #expect((8...13).contains(stage.log.openings), "\(stage.log.openings)")
            }
        }
    }
}
