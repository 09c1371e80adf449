// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing

extension Processes {
    @Suite struct BenchmarkTests {
        /// Compares the numbers drawn in the pictures with the camera's log; checks no time.
        @Test func `make bench measures each freshness`() async throws {
            try await Site.with { site in
                let script = Programs.repository.appending(path: "Benchmarks/bench").path
                let options = "--quick --only cameras --folder '\(site.folder)' --output '\(site.folder)/bench'"
                let outcome = try await site.shell("'\(script)' \(options) --binaries '\(Programs.folder.path)'")
                #expect(outcome.status == 0, "\(outcome.errors)")
                let table = try String(contentsOfFile: "\(site.folder)/bench/bench.md", encoding: .utf8)
                for form in ["MJPG", "YUYV"] {
                    for fresh in ["request", "next", "latest"] {
                        let line = "| \(form): still, \(fresh): request to last byte | tintype |"
                        #expect(table.contains(line), "\(table)")
                    }
                }
            }
        }
    }
}
