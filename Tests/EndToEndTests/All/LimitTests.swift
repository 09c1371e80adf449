// SPDX-License-Identifier: Apache-2.0
internal import Testing

extension Processes {
    /// Limits of the system that are lowered while the daemon runs.
    @Suite struct LimitTests {
        @Test func `a daemon at its limits refuses, and works again once they are lifted`() async throws {
            try await Site.with { site in
                let daemon = try await site.startDaemon(["YUYV:320x180@30", "MJPG:320x180@30"])
                #expect(try await site.python("lower-limits", [site.socket, "\(daemon.pid)"]).hasPrefix("open files"))
                try await daemon.expectStop(at: site)
            }
        }
    }
}
