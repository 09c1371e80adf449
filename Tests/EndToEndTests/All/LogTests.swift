// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing

extension Processes {
    /// Log lines that nothing reads.
    @Suite struct LogTests {
        @Test
        func `a log that nothing reads does not stop the daemon, and says later how much was lost`() async throws {
            try await Self.expectLoss(kind: "pipe")
        }

        /// The daemon writes to the journal's socket first; the one of the test is where the lines go without.
        @Test(
            .enabled(
                if: !FileManager.default.fileExists(atPath: journal),
                "the journal of this machine would get the lines (\(journal))"
            )
        )
        func `nor does a journal that reads nothing`() async throws { try await Self.expectLoss(kind: "journal") }

        private static let journal = "/run/systemd/journal/socket"

        private static func expectLoss(kind: String) async throws {
            try await Site.with { site in
                let daemon = try site.daemonCommand(["GREY:64x32@30"]) + ["--log-level", "trace"]
                let outcome = try await site.startPython("log-unread", [site.socket, kind] + daemon).outcome()
                #expect(outcome.status == 0, "\(outcome.errors)")
                let sentence = /([0-9]+) log lines were lost because nothing read them/
                let match = try #require(outcome.text.firstMatch(of: sentence), "\(outcome.text.suffix(2000))")
                #expect(Int(match.1) ?? 0 > 0)
                #expect(outcome.text.contains("stopped"), "the last line of a clean stop is written")
            }
        }
    }
}
