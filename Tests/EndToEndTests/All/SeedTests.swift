// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing

extension Processes {
    /// `Tests/Spool/seeds.py`: kept seeds of earlier failures are drawn first.
    @Suite struct SeedTests {
        /// Seeds drawn for a proof with these lines in seeds.txt.
        private static func seeds(_ proof: String, _ lines: String, given: String? = nil) async throws -> [String] {
            try await Site.with { site in
                let script = Programs.repository.appending(path: "Tests/Spool/seeds.py").path
                try FileManager.default.copyItem(atPath: script, toPath: "\(site.folder)/seeds.py")
                _ = try site.write(lines, to: "seeds.txt")
                let arguments = [site.folder, proof] + (given.map { [$0] } ?? [])
                return try await site.python("draw-seeds", arguments).split(separator: " ").map(String.init)
            }
        }

        private static let lines = """
            # kills 1 of no concern
            kills 17 a torn picture
            power-cut-xfs 5 a lost row
            kills 19 a deleted one

            """

        @Test func `draws the kept seeds of a proof before a new one`() async throws {
            let kills = try await Self.seeds("kills", Self.lines)
            #expect(kills.count == 3 && kills.prefix(2) == ["17", "19"])
            let again = try await Self.seeds("kills", Self.lines)
            #expect(kills.last != again.last)
            #expect(try await Self.seeds("power-cut-xfs", Self.lines).first == "5")
            #expect(try await Self.seeds("power-cut-ext4", Self.lines).count == 1)
        }

        @Test func `a given seed is the only one`() async throws {
            #expect(try await Self.seeds("kills", Self.lines, given: "23") == ["23"])
        }

        @Test func `each kept seed names its proof and finding`() throws {
            let path = Programs.repository.appending(path: "Tests/Spool/seeds.txt")
            for line in try String(contentsOf: path, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#")
            {
                #expect(line.wholeMatch(of: /(kills|power-cut-[a-z0-9]+) [0-9]+ .+/) != nil, "\(line)")
            }
        }
    }
}
