// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSystem

@testable internal import TintypeSpool

/// Catalogs of an earlier version.
@Suite struct MigrationTests {
    /// A mood of each picture, and albums with their pictures.
    private static let later: [CatalogSchema.Migration] = [
        { database in
            try database.execute(sql: "ALTER TABLE frame ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'")
        },
        { database in
            try database.execute(
                sql: """
                    CREATE TABLE album (id BLOB NOT NULL PRIMARY KEY, state TEXT NOT NULL) STRICT, WITHOUT ROWID;
                    CREATE TABLE albumFrame (
                        frame BLOB NOT NULL REFERENCES frame ON DELETE CASCADE, album BLOB NOT NULL REFERENCES album,
                        state TEXT NOT NULL, PRIMARY KEY (frame, album)
                    ) STRICT, WITHOUT ROWID
                    """
            )
        },
    ]

    @Test func `a later version adds a column and tables and keeps what the catalog alone knows`() throws {
        let rows = [FrameRow(1, tags: ["alarm"], isPinned: true), FrameRow(2, isLost: true), FrameRow(3)]
        let file = try CatalogFile(rows)
        try file.catalog.tombstones.add(over: [rows[2]], at: noon)
        let before = try rows.map { try file.catalog.row($0.id) }
        try file.catalog.close()

        let queue = try DatabaseQueue(path: file.path)
        try CatalogSchema.migrator(CatalogSchema.migrations + Self.later).migrate(queue)
        let moods = try queue.read { try String.fetchSet($0, sql: "SELECT mood FROM frame") }
        #expect(moods == ["calm"])
        // A row of this version still has its place in the later one.
        try queue.write { try FrameRow(4).insert($0) }
        try queue.read { try CatalogSchema.check($0) }
        let after = try queue.read { database in
            try rows.map { row in
                try FrameRow.fetchOne(
                    database,
                    sql: "SELECT * FROM frame WHERE id = ?",
                    arguments: [row.id.databaseValue]
                )
            }
        }
        #expect(after == before && after[0]?.number != 0)
        #expect(
            try queue.read { try Tombstone.fetchAll($0, sql: "SELECT * FROM tombstone") }.map(\.path) == [rows[2].path]
        )
        let version = try queue.read { try CatalogSchema.newestVersion(in: $0) }
        #expect(version == CatalogSchema.version + 2)
    }

    @Test(arguments: [0, 40]) func `a catalog of version 7 keeps its rows and jobs`(_ count: Int) throws {
        let folder = SpoolFolder()
        let path = folder.path + ".sqlite"
        let rows = (0..<count).map { FrameRow($0, tags: $0 % 2 == 0 ? ["alarm"] : nil, isPinned: $0 % 3 == 0) }
        let queue = try DatabaseQueue(path: path)
        let later: Set = ["kind", "until", "durationNs", "pictures"]
        let columns = FrameColumn.all.filter { !later.contains($0.name) }
        try CatalogSchema.migrator(Array(CatalogSchema.migrations.prefix(2)), columns: columns).migrate(queue)
        try queue.write { database in
            for row in rows {
                let names = try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info('frame')")
                let encoded = try row.databaseDictionary
                let values = names.map { encoded[$0] ?? .null }
                let places = names.map { _ in "?" }.joined(separator: ", ")
                let sql = "INSERT INTO frame (\(names.joined(separator: ", "))) VALUES (\(places))"
                try database.execute(sql: sql, arguments: StatementArguments(values))
            }
            try database.execute(
                sql: """
                    INSERT INTO job (id, kind, source, target, state, priority, createdAt, done, bytes, lost)
                        VALUES ('old', 'upload', 'all()', 's3:bucket', 'paused', 0, 1, 2, 3, 4)
                    """
            )
        }
        try queue.close()
        let catalog = try Catalog(path: path, clock: .system, logger: .quiet)
        try catalog.checkSchema()
        let everything = FrameQuery(filter: .everything, order: .oldest, limit: 1000)
        #expect(try catalog.lists.page(everything).rows == rows)
        #expect(try catalog.totals()["door"]?.frames == (count == 0 ? nil : count))
        let jobs = JobTable(connection: catalog.connection, spool: "default")
        let job = try jobs.row("old").job
        #expect(job.kind == .upload && job.state == .paused && job.camera == nil && job.frame == nil && job.done == 2)
        try catalog.insert([FrameRow(50, kind: .film)], isDurable: true, at: noon)
        #expect(try catalog.totals()["door"]?.films == 1)
        try catalog.close()
    }
}
