// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeFrames
import TintypeModel
import TintypeThreads

extension SessionTests {
    struct IdleCostTests {
        @Test func `a hot raw camera that no client asks gives the encoding threads nothing to do`() async throws {
            try await Stage.run("YUYV:1280x720@120", warmth: .hot) { stage in
                #expect(await TestClock().reaches { stage.counters.captured >= 10 })
                // Excused: work was taken from the queue since the last look.
                let threads = stage.encoding.heartbeat
                _ = threads.isExcused()
                #expect(await TestClock().reaches { stage.counters.captured >= 130 })
                #expect(!threads.isExcused() && stage.renders.all.isEmpty)
                _ = try await stage.take()
                #expect(threads.isExcused() && !stage.renders.all.isEmpty)
            }
        }
    }
}
