// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing

extension Processes {
    @Suite struct LogTests {
        @Test func `a full log pipe does not stop the daemon`() async throws {
            try await Self.expectLoss(kind: "pipe")
        }

        /// Requires a machine without a journal socket, which the daemon would prefer to the stream of the test.
        @Test(
            .enabled(
                if: !FileManager.default.fileExists(atPath: journal),
                "the journal of this machine would get the lines (\(journal))"
            )
        )
        func `a full journal stream does not stop the daemon`() async throws {
            try await Self.expectLoss(kind: "journal")
        }

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
