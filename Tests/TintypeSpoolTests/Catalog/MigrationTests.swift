// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

@Suite struct MigrationTests {
    /// What the build of 2026-11-24 wrote in four seconds of work, and what it listed of that.
    @Test func `a catalog of version 4 is what it was, and answers`() throws {
        let version = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/../../Spool/catalog-v4"
        let folder = try SpoolFolder()
        let path = folder.path + ".sqlite"
        try shellOutput("sqlite3", path, ".read \(version).sql")
        try shellOutput("sqlite3", path, "PRAGMA user_version = 1")
        let listed = try WireFormat.decode(FramePage.self, from: Data(contentsOf: URL(filePath: "\(version).json")))
        for opening in 1...2 {
            let catalog = try Catalog(path: path, logger: quiet)
            func list(_ text: String) throws -> [FrameRecord] {
                let filter = try FrameFilter(parsing: text)
                return try catalog.search(filter, order: .newest, limit: 99).rows
                    .map { $0.frameRecord(in: "/tmp/v4/spool", named: "default") }
            }
            #expect(try list("") == listed.frames, "opening \(opening)")
            for (text, count) in [
                ("camera:pattern", 12), ("tag:alarm", 6), ("tag:n3", 1), ("pinned", 1), ("lost", 1), ("tag:late", 1),
                ("verdict:intact", listed.frames.count { $0.still.verdict == .intact }),
                ("camera:pattern-2, tag:door", 5),
            ] { #expect(try list(text).count == count, "\(text), opening \(opening)") }
            let totals = try catalog.totals()
            #expect(totals["pattern"]?.frames == 12 && totals["pattern"]?.pinned == 1)
            #expect(totals["pattern-2"]?.lost == 1)
            for camera in ["pattern", "pattern-2"] { #expect(try catalog.agrees(camera)) }
            #expect(try catalog.latestPath(of: "pattern") == "pattern/2026/11/24/032253.884256Z-000000032.jpg")
            #expect(try catalog.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM tombstone") } == 1)
            #expect(try catalog.wasCompared())
            try catalog.close()
        }
    }

    @Test func `a catalog of an older version is set aside, and its pins, tags and tombstones are taken over`()
        async throws
    {
        let folder = try SpoolFolder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/../../Spool/catalog-v3.sql"
        try shellOutput("sqlite3", "\(folder.path)/catalog.sqlite", ".read \(path)")
        // Older than 30 days they are forgotten.
        try shellOutput(
            "sqlite3",
            "\(folder.path)/catalog.sqlite",
            "UPDATE tombstone SET deletedAt = strftime('%s', 'now') * 1000000"
        )
        let before = try folder.sql("SELECT id FROM frame ORDER BY id")
        let messages = MessageLog()
        let spool = try await Spool.open(folder.configuration, logger: messages.logger, until: soon)
        #expect(messages.errors.count == 1, "\(messages.errors)")
        _ = try await spool.verify(until: soon)
        let frames = try await spool.frames(FrameQuery(order: .oldest, limit: 9), until: soon).frames
        #expect(before.count == 3 && frames.map(\.still.id.description) == before)
        #expect(frames.map { $0.still.tags?.first } == ["night", "night", nil])
        #expect(frames.map(\.pinned) == [true, false, false])
        await spool.close(until: soon)
        #expect(try folder.sql("SELECT \(idText) FROM frame ORDER BY number") == before)
        #expect(try folder.sql("SELECT count(*) FROM tombstone") == ["1"])
        #expect(try folder.names(in: "").contains { $0.hasPrefix("catalog.sqlite.damaged-") })
    }
}
