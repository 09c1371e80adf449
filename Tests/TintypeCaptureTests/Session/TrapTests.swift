// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing
import TintypeThreads

extension SessionTests {
    /// What other capture programs get wrong when a camera misbehaves.
    struct TrapTests {
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
