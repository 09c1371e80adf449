// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing

extension Processes {
    @Suite struct KillTests {
        // CONTRIBUTING.md describes the same program with 500 kills.
        @Test func `SIGKILL at 60 random moments loses no answered change`() async throws {
            try await Site.with { site in
                let kills = Programs.repository.appending(path: "Tests/Spool/kills").path
                let run = try site.start(kills, [Programs.folder.path, site.folder, "60"])
                let outcome = try await run.outcome()
                #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
                // Seed and findings for the log.
                print(outcome.text)
            }
        }
    }
}
