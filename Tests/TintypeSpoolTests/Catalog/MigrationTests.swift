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
}
