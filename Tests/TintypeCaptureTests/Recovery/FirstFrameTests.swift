// SPDX-License-Identifier: Apache-2.0
import Logging
import TestSupport
import Testing
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    struct FirstFrameTests {
        @Test
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

        @Test func `until then a client is told that the camera may be slow to start, and not that it is gone`()
            async throws
        {
            try await Stage.run("YUYV:256x64@50,late=5s", warmth: .hot) { stage in
                // It has been opened once more since.
                await expectProblem(.cameraFault, "none has come") { try await stage.take(deadline: .seconds(3)) }
                #expect(await stage.session.reaches { $0.reason?.code == .cameraFault })
                #expect(stage.session.status.state.reason?.remedy.contains("slow to start") == true)
                #expect(await TestClock().reaches(within: .seconds(20)) { stage.session.status.state == .running })
            }
        }

        @Test func `a late first frame that is not good yet is no camera whose frames are all damaged`() async throws {
            // What comes first without a time is not believed.
            try await Stage.run("YUYV:256x64@50,undated,late=7s", warmth: .hot) { stage in
                #expect(await TestClock().reaches(within: .seconds(20)) { stage.session.status.state == .running })
                _ = try await stage.take().code()
                #expect(stage.counters.opened == 3)
                #expect(stage.messages.count(.warning, "all damaged") == 0)
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
}
