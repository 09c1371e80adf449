// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing
internal import TintypeModel
internal import tintype

extension Processes {
    /// Camera whose pictures always lack the EOI marker.
    @Suite struct ToleranceTests {
        @Test func `tolerates a permanent fault of a camera until reset`() async throws {
            try await Site.serving("MJPG:256x96@50,quirk=missingEnd") { site, _ in
                let none = try await site.tintype("tolerance")
                #expect(none.text == "pattern: no tolerance\n")
                let first = try await site.tintype("still", "--integrity", "tolerant", "--json")
                #expect(first.status == 0, "\(first.errors)")
                let record = try #require(try first.read(StillList.self).stills.first)
                #expect(record.verdict == .tolerated && record.faults == [.truncated])
                #expect(try await site.tintype("status", "pattern").text.contains("missingEnd"))
                let reset = try await site.tintype("tolerance", "pattern", "--reset")
                #expect(reset.status == 0 && reset.text == "pattern: no tolerance\n")
                #expect(try await !site.tintype("status", "pattern").text.contains("missingEnd"))
                // Learning takes at least two seconds.
                let again = try await site.tintype("still", "--integrity", "tolerant", "--deadline", "500ms")
                #expect(again.status == 34, "\(again.errors)")
            }
        }
    }
}
