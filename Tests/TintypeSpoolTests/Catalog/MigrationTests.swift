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

    @Test func `what the version before has written can be asked for, and counted`() throws {
        let folder = try SpoolFolder()
        let path = folder.path + ".sqlite"
        let queue = try DatabaseQueue(path: path)
        try CatalogSchema.migrator.migrate(queue, upTo: "v2")
        let rows = (0..<20).map { number in
            FrameRow(
                number,
                camera: number < 5 ? "door" : "yard",
                bytes: number * 50_000,
                verdict: number == 7 ? nil : .intact,
                tags: number == 3 ? ["alarm", "night"] : number == 4 ? [] : nil
            )
        }
        try queue.write { database in
            for row in rows {
                let old = try database.columns(in: "frame").map(\.name)
                var values = try row.databaseDictionary
                (values["id"], values["sha256"]) = (row.id.description.databaseValue, row.sha256.databaseValue)
                let places = old.map { _ in "?" }.joined(separator: ", ")
                try database.execute(
                    sql: "INSERT INTO frame (\(old.joined(separator: ", "))) VALUES (\(places))",
                    arguments: StatementArguments(old.map { values[$0] ?? .null })
                )
            }
        }
        try queue.close()
        let catalog = try Catalog(path: path, logger: quiet)
        #expect(try catalog.search(.everything, order: .oldest, limit: 99).rows == rows)
        func list(_ text: String) throws -> [Int] {
            try catalog.search(FrameFilter(parsing: text), order: .oldest, limit: 99).rows.map { Int($0.sequence) }
        }
        #expect(try list("tag:alarm") == [3])
        #expect(try list("camera:door, bytes>100000") == [3, 4])
        #expect(try list("not verdict:intact") == [7])
        #expect(try list("source:request").count == 20)
        #expect(try list("any(pinned, lost)").isEmpty)
        #expect(try catalog.totals()["yard"]?.frames == 15)
    }
}
