// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing

extension Processes {
    @Suite struct KillTests {
        // The same program is for 500 moments by hand: CONTRIBUTING.md.
        @Test func `killed at sixty random moments under load, it loses nothing answered, and nothing deleted is back`()
            async throws
        {
            try await Site.with { site in
                let kills = Programs.repository.appending(path: "Tests/Spool/kills").path
                let run = try site.start(kills, [Programs.folder.path, site.folder, "60"])
                let outcome = try await run.outcome()
                #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
                // The seed and what was met, for the log.
                print(outcome.text)
            }
        }
    }
}
