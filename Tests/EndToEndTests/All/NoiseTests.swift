// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeSystem

extension Processes {
    @Suite struct NoiseTests {
        private static let token = "tt_0123456789"

        private static let configuration = """
            tcp: {port: 0}
            access:
              - {token: "sha256:\(SHA256.text(Array(token.utf8)))", name: operator, role: control, cameras: [pattern]}

            """

        /// A million bytes for the HTTP parser, tokens, cookies and Host, over TCP and the Unix socket.
        @Test(arguments: [1, 2]) func `a million random bytes neither stop the daemon nor leak`(
            seed: Int
        ) async throws {
            try await Site.with { site in
                let daemon = try await site.startDaemon(["YUYV:160x90@30"], configuration: Self.configuration)
                let port = try await daemon.port
                func send(_ count: Int, seed: Int) async throws {
                    let arguments = [site.socket, port, Self.token, "\(seed)", "\(count)"]
                    let sent = try await site.python("send-noise", arguments)
                    #expect(Int(sent) ?? 0 >= count)
                    try await eventually("the connections are closed") {
                        ProcessFiles(pid: daemon.pid).open.count { $0.hasPrefix("socket:") } <= 6
                    }
                }
                // Warm-up for one-time allocations.
                try await send(100_000, seed: seed + 100)
                let before = try daemon.residentKilobytes
                try await send(1_000_000, seed: seed)
                #expect(try daemon.residentKilobytes < before + 16_384, "it grew")
                #expect(daemon.poll() == nil && !daemon.errors.contains("failed at request"))
                #expect(try await site.tintype("still").status == 0)
            }
        }
    }
}

extension Child {
    /// Resident memory (VmRSS of proc_pid_status(5)).
    fileprivate var residentKilobytes: Int {
        get throws {
            let text = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
            return Int(try #require(text.firstMatch(of: /VmRSS:\s+([0-9]+) kB/)).1) ?? 0
        }
    }
}
