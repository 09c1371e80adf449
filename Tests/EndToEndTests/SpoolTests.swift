// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import tintype

extension Processes {
    @Suite struct SpoolTests {
        @Test func `a file in place of the spool ends the daemon with a message`() async throws {
            try await Site.with { site in
                let path = try site.write("not a folder", to: "occupied")
                let outcome = try await site.launchDaemon([], spool: path).outcome()
                #expect(outcome.status == 1)
                let errors = outcome.errors
                #expect(errors.contains(path) && errors.lowercased().contains("not a directory"), "\(errors)")
            }
        }

        @Test(.requiresMount) func `a full disk refuses stills until space is freed`() async throws {
            try await Site.with { site in
                try await withSmallDisk(at: "\(site.folder)/small") { path in
                    let daemon = try await site.startDaemon(["YUYV:320x180@30"], spool: path)
                    defer { daemon.end() }
                    #expect(try await site.tintype("still").status == 0)
                    let filler = "\(path)/filler"
                    _ = try await site.shell("cat /dev/zero > '\(filler)' || true")
                    let refused = try await site.tintype("still")
                    #expect(refused.status == 35 && refused.errors.contains(path), "\(refused.errors)")
                    let reply = try await site.post(#"{"deadlineMs":600000}"#)
                    #expect(reply.status == 507)
                    #expect(try WireFormat.decode(Problem.self, from: reply.body).code == .spoolFull)
                    try await expectHealth(site, .failing, status: 503, exit: 5, says: "spool-full: ")
                    let before = try await site.client.camera("pattern").counters.captured
                    #expect(try await site.tintype("still", "-o", "picture.jpg").status == 0)
                    #expect(try await site.client.camera("pattern").counters.captured > before)
                    try FileManager.default.removeItem(atPath: filler)
                    let again = try await site.tintype("still")
                    #expect(again.status == 0, "\(again.errors)")
                    try await expectHealth(site, .ok, status: 200, exit: 0)
                }
            }
        }

        /// Expects the same health from `/healthz` and `tintype status`.
        private func expectHealth(
            _ site: Site,
            _ level: Health.Level,
            status: Int,
            exit: Int32,
            says: String = "ok"
        ) async throws {
            let reply = try await site.client.send(ControlRequest("GET", "/healthz"))
            #expect(reply.status == status)
            #expect(try WireFormat.decode(Health.self, from: reply.body).status == level)
            let shown = try await site.tintype("status")
            #expect(shown.status == exit)
            #expect(shown.text.contains(": \(level.rawValue)") && shown.text.contains(says), "\(shown.text)")
        }

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

        private func withSmallDisk(at path: String, _ body: (String) async throws -> Void) async throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            let status = unsafe mount("tmpfs", path, "tmpfs", 0, "size=8m")
            try #require(status == 0, "mount \(path)")
            defer { _ = unsafe umount2(path, Int32(MNT_DETACH)) }
            try await body(path)
        }
    }
}
