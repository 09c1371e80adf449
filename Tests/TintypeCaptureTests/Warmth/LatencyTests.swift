// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    struct LatencyTests {
        @Test func `what a picture costs is known once it was measured, by the state of the camera`() async throws {
            try await Stage.run("YUYV:256x64@5", warmth: .cold) { stage in
                #expect(stage.session.status.latency == CameraLatency())
                _ = try await stage.session.start()
                #expect(await TestClock().reaches { stage.session.status.latency.fromOff?.count == 1 })
                // The first frame of five a second is there after a fifth of a second, and not before.
                let off = try #require(stage.session.status.latency.fromOff)
                #expect(off.medianMs.duration >= .milliseconds(200))
                #expect(off.medianMs.duration < .seconds(2))
                #expect(off.worstMs == off.medianMs)
                #expect(stage.session.status.latency.fromRunning == nil)
                var waits: [Duration] = []
                for _ in 0..<3 {
                    waits.append(try #require(try await stage.take().record.waitedMs).duration)
                }
                let running = try #require(stage.session.status.latency.fromRunning)
                #expect(running.count == 3)
                #expect(running.worstMs.duration == waits.max())
                #expect(running.medianMs.duration == waits.sorted()[1])
                #expect(stage.session.status.latency.fromOff == off)
            }
        }

        @Test func `a picture that was held already, or for which the camera was opened, is no wait of a running one`()
            async throws
        {
            try await Stage.run("YUYV:256x64@20", warmth: .cold) { stage in
                for opening in 1...3 {
                    _ = try await stage.take()
                    #expect(await stage.session.reaches(.off))
                    #expect(stage.log.open == 0)
                    #expect(stage.session.status.latency.fromOff?.count == opening)
                }
                _ = try await stage.session.start()
                #expect(await stage.session.reaches(.running))
                for _ in 0..<5 { _ = try await stage.take(.latest) }
                #expect(stage.session.status.latency.fromRunning == nil)
                _ = try await stage.take(.next)
                #expect(stage.session.status.latency.fromRunning?.count == 1)
            }
        }
    }
}
