// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import Testing
internal import TintypeClient
internal import TintypeModel

extension Processes {
    @Suite struct SpoolTests {
        @Test func `a file in the way of the spool ends the daemon with a sentence`() async throws {
            try await Site.with { site in
                let path = try site.write("not a folder", to: "occupied")
                let outcome = try await site.launchDaemon([], spool: path).outcome(within: .seconds(20))
                #expect(outcome.status == 1)
                #expect(
                    outcome.errors.contains(path) && outcome.errors.lowercased().contains("not a directory"),
                    "\(outcome.errors)"
                )
            }
        }

        @Test(.requiresMount) func `a spool that cannot be written ends the daemon with a sentence`() async throws {
            try await Site.with { site in
                try await withMount(at: "\(site.folder)/sealed", flags: UInt(MS_RDONLY), options: "size=1m") { path in
                    let outcome = try await site.launchDaemon([], spool: path).outcome(within: .seconds(20))
                    #expect(outcome.status == 1)
                    #expect(
                        outcome.errors.contains(path) && outcome.errors.lowercased().contains("read-only file system"),
                        "\(outcome.errors)"
                    )
                }
            }
        }

        @Test(.requiresMount) func `on a full disk a still is refused, capture goes on, and room is enough to go on`()
            async throws
        {
            try await Site.with { site in
                try await withMount(at: "\(site.folder)/small", flags: 0, options: "size=8m") { path in
                    let daemon = try await site.startDaemon(["YUYV:320x180@30"], spool: path)
                    defer { daemon.end() }
                    #expect(try await site.tintype("still").status == 0)
                    let filler = "\(path)/filler"
                    _ = try await site.shell("cat /dev/zero > '\(filler)' || true")
                    let refused = try await site.tintype("still")
                    #expect(refused.status == 35 && refused.errors.contains(path), "\(refused.errors)")
                    let reply = try await site.client.send(ControlRequest("POST", "/v1/cameras/pattern/stills"))
                    #expect(reply.status == 507)
                    #expect(try WireFormat.decode(Problem.self, from: reply.body).code == .spoolFull)
                    let before = try await site.client.camera("pattern").counters.captured
                    #expect(try await site.tintype("still", "-o", "picture.jpg").status == 0)
                    #expect(try await site.client.camera("pattern").counters.captured > before)
                    try FileManager.default.removeItem(atPath: filler)
                    let again = try await site.tintype("still")
                    #expect(again.status == 0, "\(again.errors)")
                }
            }
        }

        @Test(arguments: ["TINTYPE_LINKS", "TINTYPE_NO_LINKS"])
        func `where a rename cannot be told to leave a name alone that is taken, none is overwritten`(_ links: String)
            async throws
        {
            try await Site.with { site in
                let library = "\(site.folder)/plain-renames.so"
                let source = Programs.repository.appending(path: "Tests/Support/plain-renames.c").path
                _ = try await site.shell("gcc -O2 -Wall -Wextra -Werror -shared -fPIC -o '\(library)' '\(source)'")
                var records: [StillRecord] = []
                // The second daemon knows nothing of the names that the first has given.
                for _ in 0..<2 {
                    let daemon = try await site.startDaemon(
                        ["YUYV:320x180@30"],
                        configuration: "spool: {names: \"picture\"}\n",
                        environment: ["LD_PRELOAD": library, links: "1"]
                    )
                    for durability in Durability.allCases {
                        let request = StillRequest(fresh: .request, durability: durability)
                        records.append(try await site.client.still(request, of: "pattern"))
                    }
                    daemon.signal(SIGTERM)
                    #expect(try await daemon.outcome().status == 0)
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

        private func withMount(
            at path: String,
            flags: UInt,
            options: String,
            _ body: (String) async throws -> Void
        ) async throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            let status = unsafe mount("tmpfs", path, "tmpfs", flags, options)
            try #require(status == 0, "mount \(path)")
            defer { _ = unsafe umount2(path, Int32(MNT_DETACH)) }
            try await body(path)
        }
    }
}
