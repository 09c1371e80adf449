// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel

extension Processes {
    @Suite struct SpoolTests {
        @Test(arguments: ["TINTYPE_LINKS", "TINTYPE_NO_LINKS"])
        func `overwrites no file without RENAME_NOREPLACE`(_ links: String)
            async throws
        {
            try await Site.with { site in
                let library = try await site.library("plain-renames")
                var records: [StillRecord] = []
                // The second daemon does not know the names used by the first.
                for _ in 0..<2 {
                    let daemon = try await site.startDaemon(
                        ["YUYV:320x180@30"],
                        configuration: "spool: {names: \"picture\"}\n",
                        environment: ["LD_PRELOAD": library, links: "1"]
                    )
                    for durability in Durability.allCases {
                        let request = StillRequest(fresh: .request, deadline: .patience, durability: durability)
                        records.append(try await site.still(request))
                    }
                    try await daemon.stop()
                }
                let names = ["", "-2", "-3", "-4", "-5", "-6"].map { "\(site.spool)/pattern/picture\($0).jpg" }
                #expect(records.map(\.path) == names)
                for record in records {
                    let sum = try await site.shell("sha256sum < '\(try #require(record.path))'").text
                    #expect(sum.prefix(64) == record.sha256 ?? "")
                }
                #expect(try FileManager.default.contentsOfDirectory(atPath: "\(site.spool)/.incoming").isEmpty)
            }
        }
    }
}
