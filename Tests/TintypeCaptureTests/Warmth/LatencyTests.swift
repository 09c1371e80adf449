// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    struct LatencyTests {
        @Test func `latency is measured separately for closed and running cameras`() async throws {
            try await Stage.run("YUYV:256x64@5", warmth: .cold) { stage in
                #expect(stage.session.status.latency == CameraLatency())
                _ = try await stage.session.start()
                #expect(await TestClock().reaches { stage.session.status.latency.fromOff?.count == 1 })
                // At five frames a second the first frame takes a fifth of a second.
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

        @Test func `only waits on a running camera count as running latency`() async throws {
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

struct LatencyHistoryTests {
    private func summary(of milliseconds: [Int]) -> CameraLatency.Summary? {
        var history = LatencyHistory()
        for value in milliseconds { history.add(.milliseconds(value)) }
        return history.summary
    }

    private func expected(_ count: Int, _ median: Double, _ worst: Double) -> CameraLatency.Summary {
        CameraLatency.Summary(
            count: count,
            medianMs: Milliseconds(.milliseconds(median)),
            worstMs: Milliseconds(.milliseconds(worst))
        )
    }

    @Test func `has no summary before the first measurement`() { #expect(summary(of: []) == nil) }

    @Test func `the median of an even count is the mean of the middle two`() {
        #expect(summary(of: [7]) == expected(1, 7, 7))
        #expect(summary(of: [30, 10, 50]) == expected(3, 30, 50))
        #expect(summary(of: [40, 10, 20, 30]) == expected(4, 25, 40))
    }

    @Test func `keeps the newest 64 measurements`() {
        #expect(summary(of: [9000] + Array(1...64)) == expected(64, 32.5, 64))
        #expect(summary(of: Array(1...1000)) == expected(64, 968.5, 1000))
    }
}
