// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeClient
internal import TintypeModel

extension Processes {
    @Suite struct SpoolTests {
        @Test func `a file in the way of the spool ends the daemon with a sentence`() async throws {
            try await Site.with { site in
                let path = try site.write("not a folder", to: "occupied")
                try await expectRefusal(of: path, at: site, "not a directory")
            }
        }

        @Test(.requiresMount) func `a spool that cannot be written ends the daemon with a sentence`() async throws {
            try await Site.with { site in
                try await withMount(at: "\(site.folder)/sealed", flags: UInt(MS_RDONLY), options: "size=1m") { path in
                    try await expectRefusal(of: path, at: site, "read-only file system")
                }
            }
        }

        private func expectRefusal(of spool: String, at site: Site, _ words: String) async throws {
            let outcome = try await site.launchDaemon([], spool: spool).outcome()
            #expect(outcome.status == 1)
            let errors = outcome.errors
            #expect(errors.contains(spool) && errors.lowercased().contains(words), "\(errors)")
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

        /// Health in the same words on the socket and in the status.
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
        func `where a rename cannot be told to leave a name alone that is taken, none is overwritten`(_ links: String)
            async throws
        {
            try await Site.with { site in
                let library = try await site.library("plain-renames")
                var records: [StillRecord] = []
                // The second daemon knows nothing of the names that the first has given.
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

        @Test func `a row whose path leaves the spool is neither served, nor exported, nor removed`() async throws {
            try await Site.serving("YUYV:320x180@30") { site, daemon in
                var ids: [FrameID] = []
                for _ in 0..<3 {
                    ids.append(try await site.still().id)
                }
                try await daemon.stop()
                let outside = try site.write("outside", to: "outside.jpg")
                for (index, isBuried) in [false, true].enumerated() {
                    let id = ids[index]
                    let bytes = "x'\(id.description.replacing("-", with: ""))'"
                    let statement =
                        "UPDATE frame SET path = '../outside.jpg' WHERE id = \(bytes);"
                        + (isBuried
                            ? "INSERT INTO tombstone SELECT path, id, 9, sha256 FROM frame WHERE id = \(bytes)" : "")
                    let edited = try await site.shell("sqlite3 spool/catalog.sqlite \"\(statement)\"")
                    #expect(edited.status == 0, "\(edited.errors)")
                    let again = try await site.startDaemon(["YUYV:320x180@30"])
                    let image = try await site.client.send(ControlRequest("GET", "/v1/frames/\(id)/image"))
                    #expect(image.body != Array("outside".utf8))
                    let folder = "export-\(index)"
                    _ = try await site.tintype("frames", "export", "--where", "all()", "-o", folder)
                    let found = try await site.shell("grep -rlx outside '\(folder)' || true")
                    #expect(found.text == "")
                    _ = try await site.client.send(ControlRequest("DELETE", "/v1/frames/\(id)"))
                    let verified = try await site.tintype("frames", "verify")
                    #expect([0, 3].contains(verified.status), "\(verified.errors)")
                    #expect(try String(contentsOfFile: outside, encoding: .utf8) == "outside")
                    for id in ids.dropFirst(index + 1) { #expect(try await !site.client.image(of: id).isEmpty) }
                    try await eventually("the row is in the log") { again.errors.contains("../outside.jpg") }
                    try await again.stop()
                }
            }
        }

        @Test(
            arguments: [
                "truncate -s 0", "truncate -s -20", "truncate -s +20",
                "python3 -c 'import sys; f = open(sys.argv[1], \"r+b\"); f.seek(3000); f.write(b\"x\" * 9)'",
            ]
        )
        func `a file that is not what was stored is an error with the reason, in an export too`(_ damage: String)
            async throws
        {
            try await Site.serving("YUYV:640x360@30") { site, _ in
                var records: [StillRecord] = []
                for _ in 0..<4 {
                    records.append(try await site.still())
                }
                for record in records.prefix(3) {
                    let done = try await site.shell("\(damage) '\(try #require(record.path))'")
                    #expect(done.status == 0, "\(done.errors)")
                }
                for (record, path) in zip(records, ["image", "thumbnail?width=160"]) {
                    let reply = try await site.client.send(ControlRequest("GET", "/v1/frames/\(record.id)/\(path)"))
                    #expect(reply.status == 504)
                    let problem = try WireFormat.decode(Problem.self, from: reply.body)
                    #expect(problem.code == .corruptOnly)
                    #expect(problem.detail.contains("is not the picture that was stored: "), "\(problem)")
                }
                let export = try await site.tintype("frames", "export", "--where", "all()", "-o", "copy")
                #expect(export.status == ProblemCode.corruptOnly.exitStatus, "\(export.errors)")
                #expect(export.errors.contains("1 of 4 pictures is damaged: \(records[2].id)."))
                let copied = try await site.shell("find copy -name '*.jpg' | xargs sha256sum | cut -c1-64")
                #expect(copied.text == "\(try #require(records[3].sha256))\n")
                let quarantined = try FileManager.default.contentsOfDirectory(atPath: "\(site.spool)/.quarantine")
                #expect(quarantined.count == 3)
                #expect(try await site.ids("lost").count == 3)
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
