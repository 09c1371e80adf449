// SPDX-License-Identifier: Apache-2.0
internal import GRDB

/// The tables of the catalog; a version that was released is never changed.
enum CatalogSchema {
    static let version = 5

    /// Makes the tables of version 5 in a catalog that does not say that it has them.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("v5") { try $0.execute(sql: version5) }
        return migrator
    }

    /// The greatest version whose tables a catalog says that it has; 0 for none.
    static func newestVersion(in database: Database) throws -> Int {
        guard try database.tableExists("grdb_migrations") else { return 0 }
        let sql = "SELECT max(CAST(substr(identifier, 2) AS INTEGER)) FROM grdb_migrations"
        return try Int.fetchOne(database, sql: sql) ?? 0
    }

    /// Throws SQLITE_CORRUPT where a table, a column, an index or a trigger is missing.
    ///
    /// What an operator has added, such as a view or an index, is no concern of ours.
    static func check(_ database: Database) throws {
        let present = Set(try names(in: database))
        for name in try expectedNames.get() where !present.contains(name) {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "it has no \(name)")
        }
    }

    /// The names in a catalog that was just made.
    private static let expectedNames = Result {
        let model = try DatabaseQueue()
        try migrator.migrate(model)
        return try model.read { try names(in: $0) }
    }

    /// Everything in a schema but for what SQLite names itself, as in: index frame_camera.
    private static func names(in database: Database) throws -> [String] {
        let sql = """
            SELECT printf('%s %s', type, name) FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*' UNION ALL
                SELECT printf('column %s of %s', part.name, whole.name)
                    FROM sqlite_schema AS whole, pragma_table_info(whole.name) AS part
                    WHERE whole.type = 'table' AND whole.sql NOT LIKE 'CREATE VIRTUAL%'
            """
        return try String.fetchAll(database, sql: sql)
    }

    /// An index for each condition that narrows a list down, and tables that triggers keep in step with `frame`.
    ///
    /// `frame_number` has the pictures of each camera that are there or not, pinned or not, by ``NumberedRow/number``.
    /// `cameraTotal` has the totals of each camera, and `frameTag` the frames of each tag. The triggers hold for every
    /// program that changes a row. Times are microseconds since 1970; faults, appearance and tags are words with a comma
    /// between two.
    private static var version5: String {
        """
        CREATE TABLE frame (
            id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16), number INTEGER NOT NULL, camera TEXT NOT NULL, path TEXT NOT NULL UNIQUE,
            bytes INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL, sequence INTEGER NOT NULL,
            capturedAt INTEGER NOT NULL, timestampSource TEXT NOT NULL, uncertaintyNs INTEGER, storedAt INTEGER NOT NULL,
            stored TEXT NOT NULL, sha256 BLOB NOT NULL CHECK (length(sha256) = 32), bootID TEXT NOT NULL,
            storedMonotonicNs INTEGER NOT NULL, isClockSynchronized INTEGER NOT NULL, settled INTEGER, verdict TEXT, faults TEXT, appearance TEXT, tags TEXT,
            average INTEGER, gapNs INTEGER, source TEXT NOT NULL, pinned INTEGER NOT NULL, isLost INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE tombstone (
            path TEXT NOT NULL PRIMARY KEY, id BLOB NOT NULL CHECK (length(id) = 16), deletedAt INTEGER NOT NULL,
            sha256 BLOB NOT NULL CHECK (length(sha256) = 32)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX tombstone_deletedAt ON tombstone (deletedAt);
        CREATE INDEX tombstone_id ON tombstone (id);

        CREATE INDEX frame_number ON frame (camera, isLost, pinned, number);
        CREATE INDEX frame_camera ON frame (camera, id, verdict, pinned, isLost, bytes);
        CREATE INDEX frame_pinned ON frame (pinned, id, camera, verdict, tags) WHERE pinned = 1;
        CREATE INDEX frame_lost ON frame (isLost, id) WHERE isLost = 1;

        CREATE TABLE cameraTotal (
            camera TEXT NOT NULL PRIMARY KEY, frames INTEGER NOT NULL, bytes INTEGER NOT NULL, pinned INTEGER NOT NULL,
            lost INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE frameTag (
            tag TEXT NOT NULL, id BLOB NOT NULL, camera TEXT NOT NULL, verdict TEXT, PRIMARY KEY (tag, id)
        ) STRICT, WITHOUT ROWID;

        CREATE TRIGGER frame_inserted AFTER INSERT ON frame BEGIN
            \(count("NEW"))
            DELETE FROM tombstone WHERE path = NEW.path;
        END;
        CREATE TRIGGER frame_deleted AFTER DELETE ON frame BEGIN
            \(discount("OLD"))
        END;
        CREATE TRIGGER frame_recounted AFTER UPDATE OF camera, bytes, pinned, isLost ON frame BEGIN
            \(discount("OLD"))
            \(count("NEW"))
        END;
        CREATE TRIGGER frame_tagged AFTER INSERT ON frame WHEN NEW.tags <> '' BEGIN
            \(tag("NEW"))
        END;
        CREATE TRIGGER frame_untagged AFTER DELETE ON frame WHEN OLD.tags <> '' BEGIN
            \(untag("OLD"))
        END;
        CREATE TRIGGER frame_retagged AFTER UPDATE OF id, camera, verdict, tags ON frame BEGIN
            \(untag("OLD"))
            \(tag("NEW"))
        END;
        """
    }

    /// The bytes of a frame that count: those of a file that is gone do not.
    private static func bytes(_ row: String) -> String { "(\(row).isLost = 0) * \(row).bytes" }

    /// The words of a list as JSON: none of them has a comma, a quotation mark or a backslash in it.
    private static func words(_ column: String) -> String {
        #"'["' || replace(nullif(\#(column), ''), ',', '","') || '"]'"#
    }

    private static func count(_ row: String) -> String {
        """
        INSERT INTO cameraTotal (camera, frames, bytes, pinned, lost)
                VALUES (\(row).camera, 1, \(bytes(row)), \(row).pinned <> 0, \(row).isLost <> 0)
                ON CONFLICT DO UPDATE SET frames = frames + 1, bytes = bytes + excluded.bytes,
                    pinned = pinned + excluded.pinned, lost = lost + excluded.lost;
        """
    }

    private static func discount(_ row: String) -> String {
        """
        UPDATE cameraTotal SET frames = frames - 1, bytes = bytes - \(bytes(row)),
                pinned = pinned - (\(row).pinned <> 0), lost = lost - (\(row).isLost <> 0) WHERE camera = \(row).camera;
            DELETE FROM cameraTotal WHERE camera = \(row).camera AND frames = 0;
        """
    }

    private static func tag(_ row: String) -> String {
        "INSERT INTO frameTag (tag, id, camera, verdict) SELECT DISTINCT value, \(row).id, \(row).camera, \(row).verdict"
            + " FROM json_each(\(words("\(row).tags")));"
    }

    private static func untag(_ row: String) -> String {
        "DELETE FROM frameTag WHERE id = \(row).id AND tag IN (SELECT value FROM json_each(\(words("\(row).tags"))));"
    }
}
