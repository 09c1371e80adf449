// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing

extension Processes {
    /// That the benchmarks of stills run, and read their pictures; how long anything takes is not judged here.
    @Suite struct BenchmarkTests {
        @Test(arguments: ["coalescing --rounds 2", "latency --rounds 3"])
        func `the benchmarks of stills run to their end`(_ command: String) async throws {
            try await Site.with { site in
                let script = Programs.repository.appending(path: "Benchmarks/stills/\(command)").path
                // Half a minute, and each of its daemons stops when the disk has what was stored: within 120 s.
                let outcome = try await site.shell(
                    "PYTHONDONTWRITEBYTECODE=1 \(script) --report-only --binaries '\(Programs.folder.path)'"
                )
                #expect(outcome.status == 0, "\(outcome.errors)")
                for form in ["MJPG", "YUYV"] { #expect(outcome.text.contains(form), "\(outcome.text)") }
                #expect(outcome.text.contains("p99.9"))
                // What does not depend on time, as it does which requests have come to the daemon before a frame begins.
                for line in outcome.text.split(separator: "\n")
                where line.contains("MISSED") && !line.contains("one frame for all") {
                    #expect(line.contains(" ms, target: at most "), "\(line)")
                }
            }
        }
    }
}
