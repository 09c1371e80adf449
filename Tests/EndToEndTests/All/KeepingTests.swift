// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import tintype

extension Processes {
    @Suite struct KeepingTests {
        @Test func `rebuilds a lost catalog and applies retention`() async throws {
            try await Site.with { site in
                let first = try await site.startDaemon(["MJPG:320x180@30"])
                var stills: [StillRecord] = []
                let request = StillRequest(deadline: .patience, durability: .none)
                for _ in 0..<6 { stills.append(try await site.still(request)) }
                try await first.stop()
                for name in ["catalog.sqlite", "catalog.sqlite-wal", "catalog.sqlite-shm"] {
                    try? FileManager.default.removeItem(atPath: "\(site.spool)/\(name)")
                }
                let limited = "spool: {retention: {maxFrames: 4}}\n"
                _ = try await site.startDaemon(["MJPG:320x180@30"], configuration: limited)
                let newest = stills.suffix(4).compactMap(\.path).sorted()
                try await eventually("the newest four are left") { try pictures(site) == newest }
                // The ids are restored from the pictures.
                for record in stills.suffix(4) {
                    #expect(try await site.client.frame(record.id).still.sha256 == record.sha256)
                }
                let next = try await site.still(request)
                #expect(try pictures(site) == Array(newest.dropFirst()) + [try #require(next.path)])
            }
        }

        /// Sorted paths of all pictures of the test pattern.
        private func pictures(_ site: Site) throws -> [String] {
            try site.pictures.filter { $0.hasPrefix("pattern/") && $0 != "pattern/latest.jpg" }
                .map { "\(site.spool)/\($0)" }.sorted()
        }
    }
}
