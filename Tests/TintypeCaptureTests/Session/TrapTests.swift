// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing
import TintypeDevice
import TintypeModel
import TintypeThreads

@testable import TintypeCapture

extension SessionTests {
    /// What other capture programs get wrong when a camera misbehaves.
    struct TrapTests {
        @Test func `stop-waits-for-select-timeout: a camera that is silent is stopped at once`() async throws {
            try await Stage.run("YUYV:256x64@2,stall-after=1", warmth: .hot) { stage in
                #expect(await TestClock().reaches { stage.counters.captured == 1 })
                let asked = TestClock().now
                try await stage.session.stop()
                // The next time-out of poll(2) would be the stall limit, 5 s.
                #expect(TestClock().now - asked < .milliseconds(500))
                #expect(stage.log.open == 0)
            }
        }

        @Test func `event-wakes-but-no-frame: being woken for nothing is no failure`() async throws {
            try await Stage.run("YUYV:256x64@200,drop=95", warmth: .hot) { stage in
                #expect(await TestClock().reaches { stage.counters.sequenceGaps >= 100 })
                _ = try await stage.take().code()
                #expect(stage.counters.interrupted == 0)
                #expect(stage.counters.opened == 1)
            }
        }

        @Test func `reopen-uses-old-size: a camera that comes back with another size is read with that`() async throws {
            try await Stage.run("YUYV:256x64@50,lose-after=3", "NV12:320x96@50") { stage in
                _ = try await stage.take()
                #expect(await TestClock().reaches { stage.counters.interrupted == 1 })
                let still = try await stage.take()
                #expect((still.record.width, still.record.height) == (320, 96))
                _ = try still.code()
                #expect(stage.session.status.format?.size == FrameSize(width: 320, height: 96))
            }
        }

        @Test func `one-camera-stall-restarts-all: the others do not notice`() async throws {
            try await Stage.run("YUYV:256x64@50", warmth: .hot) { other in
                #expect(await other.session.reaches(.running))
                try await Stage.run("YUYV:256x64@50,stall-after=1", warmth: .hot) { stalled in
                    #expect(await TestClock().reaches { stalled.counters.interrupted == 1 })
                }
                _ = try await other.take().code()
                #expect(other.counters.opened == 1)
                #expect(other.counters.interrupted == 0)
            }
        }

        @Test func `select-with-fd-over-1024: a camera may have any descriptor`() async throws {
            var limit = rlimit()
            unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = min(limit.rlim_max, 4096)
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            try #require(limit.rlim_cur >= 2048, "the hard limit of open files is too low (ulimit -Hn)")
            let fillers = (0..<1100).map { _ in dup(0) }
            defer { for filler in fillers { close(filler) } }
            try await Stage.run("YUYV:256x64@50", clock: .system) { stage in
                _ = try await stage.take(deadline: .patience).code()
                let high = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int.init)
                    .filter { $0 > 1024 }
                    .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
                #expect(high.contains { $0.contains("timerfd") }, "the camera's descriptor is below 1024: \(high)")
            }
        }
    }
}
