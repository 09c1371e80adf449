// SPDX-License-Identifier: Apache-2.0
import Logging
import TestSupport
import Testing
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    struct FirstFrameTests {
        @Test func `a still succeeds on a camera with a first frame after 5 s`() async throws {
            try await Stage.run("YUYV:256x64@50,late=5s", warmth: .cold) { stage in
                _ = try await stage.take(deadline: .seconds(30)).code()
                // The stream restarts after 2 s and 4 s; the third limit is 8 s.
                #expect(stage.counters.opened == 3)
                #expect(await stage.session.reaches(.off))
                // The learned limit applies to later starts.
                _ = try await stage.take(deadline: .seconds(7)).code()
                #expect(stage.counters.opened == 4 && stage.counters.interrupted == 2)
            }
        }

        @Test func `a missing first frame is reported as slow to start`() async throws {
            try await Stage.run("YUYV:256x64@50,late=5s", warmth: .hot) { stage in
                // The camera was reopened once in the meantime.
                await expectProblem(.cameraFault, "none has come") { try await stage.take(deadline: .seconds(3)) }
                #expect(await stage.session.reaches { $0.reason?.code == .cameraFault })
                #expect(stage.session.status.state.reason?.remedy.contains("slow to start") == true)
                #expect(await TestClock().reaches(within: .seconds(20)) { stage.session.status.state == .running })
            }
        }

        @Test func `an undated late first frame is not reported as damage`() async throws {
            // An undated first frame is not trusted.
            try await Stage.run("YUYV:256x64@50,undated,late=7s", warmth: .hot) { stage in
                #expect(await TestClock().reaches(within: .seconds(20)) { stage.session.status.state == .running })
                _ = try await stage.take().code()
                #expect(stage.counters.opened == 3)
                #expect(stage.messages.count(.warning, "all damaged") == 0)
            }
        }

        @Test func `the first-frame limit adapts between 2 s and 15 s`() {
            var pace = CameraPace()
            let limits = (0..<5).map { _ in
                defer { pace.wasSilent(for: pace.first, isFirst: true) }
                return pace.first
            }
            #expect(limits == [2, 4, 8, 15, 15].map { .seconds($0) })
            for (time, limit) in [(4, 8), (0, 2), (14, 15)] {
                pace.frameCame(after: .seconds(time), isFirst: true)
                #expect(pace.first == .seconds(limit))
            }
        }
    }
}
