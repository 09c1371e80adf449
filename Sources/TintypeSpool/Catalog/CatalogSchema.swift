// SPDX-License-Identifier: Apache-2.0
internal import GRDB

enum CatalogSchema {
    typealias Migration = @Sendable (Database) throws -> Void

    /// Steps from each version to the next; a released one never changes, a new one is appended.
    static let migrations: [Migration] = [createTables]
    /// Version of the first step; catalogs of earlier versions were never released.
    private static let first = 8
    static let version = first + migrations.count - 1

    /// Applies the steps and adds the `columns` that a catalog lacks; an earlier release ignores later columns.
    static func migrator(
        _ migrations: [Migration] = migrations,
        columns: [FrameColumn] = FrameColumn.all
    ) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (index, migration) in migrations.enumerated() {
            migrator.registerMigration("v\(first + index)", migrate: migration)
            // Later steps may use the columns.
            for column in index > 0 ? [] : columns.map(\.name) where !tables.contains(" \(column) ") {
                migrator.registerMigration(column) {
                    try $0.execute(sql: "ALTER TABLE frame ADD COLUMN \(column) ANY")
                }
            }
        }
        return migrator
    }

    @Sendable private static func createTables(in database: Database) throws {
        try database.execute(sql: tables + jobTables)
    }

    static func newestVersion(in database: Database) throws -> Int {
        guard try database.tableExists("grdb_migrations") else { return 0 }
        let sql = """
            SELECT max(CAST(substr(identifier, 2) AS INTEGER)) FROM grdb_migrations WHERE identifier GLOB 'v[0-9]*'
            """
        return try Int.fetchOne(database, sql: sql) ?? 0
    }

    /// Throws SQLITE_CORRUPT if a table, column, index or trigger is missing; ignores objects that an operator added.
    static func check(_ database: Database) throws {
        let present = Set(try names(in: database))
        for name in try expectedNames.get() where !present.contains(name) {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "it has no \(name)")
        }
    }

    private static let expectedNames = Result {
        let model = try DatabaseQueue()
        try migrator().migrate(model)
        return try model.read { try names(in: $0) }
    }

    /// All objects and columns of a schema except SQLite's own, as in: index frame_camera.
    private static func names(in database: Database) throws -> [String] {
        let sql = """
            SELECT printf('%s %s', type, name) FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*' UNION ALL
                SELECT printf('column %s of %s', part.name, whole.name)
                    FROM sqlite_schema AS whole, pragma_table_info(whole.name) AS part
                    WHERE whole.type = 'table' AND whole.sql NOT LIKE 'CREATE VIRTUAL%'
            """
        return try String.fetchAll(database, sql: sql)
    }

    /// Times are microseconds since 1970; faults, appearance and tags are comma-separated words.
    ///
    /// `frame_number` orders the pictures of each camera, lost or not, pinned or not, by ``FrameRow/number``.
    /// `frameTag` has the frames of each tag. The triggers also apply to changes by other programs.
    private static var tables: String {
        """
        CREATE TABLE frame (
            id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16), number INTEGER NOT NULL, camera TEXT NOT NULL, path TEXT NOT NULL UNIQUE,
            bytes INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL, sequence INTEGER NOT NULL,
            capturedAt INTEGER NOT NULL, timestampSource TEXT NOT NULL, uncertaintyNs INTEGER, storedAt INTEGER NOT NULL,
            stored TEXT NOT NULL, sha256 BLOB NOT NULL CHECK (length(sha256) = 32), bootID TEXT NOT NULL,
            storedMonotonicNs INTEGER NOT NULL, isClockSynchronized INTEGER NOT NULL, settled INTEGER, verdict TEXT, faults TEXT, appearance TEXT, tags TEXT,
            average INTEGER, gapNs INTEGER, source TEXT NOT NULL, pinned INTEGER NOT NULL, isLost INTEGER NOT NULL, kind ANY
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE tombstone (
            path TEXT NOT NULL PRIMARY KEY, id BLOB NOT NULL CHECK (length(id) = 16), deletedAt INTEGER NOT NULL,
            sha256 BLOB NOT NULL CHECK (length(sha256) = 32)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX tombstone_deletedAt ON tombstone (deletedAt);
        CREATE INDEX tombstone_id ON tombstone (id);

        CREATE INDEX frame_number ON frame (camera, isLost, pinned, number);
        CREATE INDEX frame_camera ON frame (camera, id, verdict, pinned, isLost, bytes, kind);
        CREATE INDEX frame_kind ON frame (kind, id, camera, bytes) WHERE kind IS NOT NULL;
        CREATE INDEX frame_pinned ON frame (pinned, id, camera, verdict, tags) WHERE pinned = 1;
        CREATE INDEX frame_lost ON frame (isLost, id) WHERE isLost = 1;

        CREATE TABLE frameTag (
            tag TEXT NOT NULL, id BLOB NOT NULL, camera TEXT NOT NULL, verdict TEXT, PRIMARY KEY (tag, id)
        ) STRICT, WITHOUT ROWID;

        CREATE TRIGGER frame_inserted AFTER INSERT ON frame BEGIN
            DELETE FROM tombstone WHERE path = NEW.path;
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

    /// Jobs and their deliveries, which are `pending`, `done` or `failed`; `next` is the time of the next attempt, 0 before
    /// the first.
    ///
    /// A done row stays as long as its frame: after a damaged catalog was copied, it saves a second upload. The trigger
    /// counts pictures that are deleted before their delivery.
    private static let jobTables = """
        CREATE TABLE job (
            id TEXT NOT NULL PRIMARY KEY, kind TEXT NOT NULL, rule TEXT UNIQUE, source TEXT NOT NULL, target TEXT NOT NULL,
            options TEXT, state TEXT NOT NULL, priority INTEGER NOT NULL, createdAt INTEGER NOT NULL, endedAt INTEGER,
            lastSuccess INTEGER, done INTEGER NOT NULL, bytes INTEGER NOT NULL, lost INTEGER NOT NULL, error TEXT,
            camera TEXT, frame BLOB
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE delivery (
            frame BLOB NOT NULL, job TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
            next INTEGER NOT NULL DEFAULT 0, error TEXT, PRIMARY KEY (frame, job)
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX job_frame ON job (frame) WHERE frame IS NOT NULL;
        CREATE INDEX job_open ON job (state) WHERE rule IS NOT NULL OR state NOT IN ('done', 'cancelled');
        CREATE INDEX job_ended ON job (endedAt) WHERE rule IS NULL AND state IN ('done', 'cancelled');
        CREATE INDEX delivery_pending ON delivery (job, frame, next) WHERE state = 'pending';
        CREATE INDEX delivery_tried ON delivery (job, next, attempts) WHERE state = 'pending' AND attempts > 0;
        CREATE INDEX delivery_failed ON delivery (job, frame) WHERE state = 'failed';
        CREATE TRIGGER frame_undelivered AFTER DELETE ON frame
            WHEN EXISTS (SELECT 1 FROM delivery WHERE frame = OLD.id)
        BEGIN
            UPDATE job SET lost = lost + 1 WHERE state <> 'cancelled'
                AND id IN (SELECT job FROM delivery WHERE frame = OLD.id AND state <> 'done');
            DELETE FROM delivery WHERE frame = OLD.id;
        END;
        """

    /// A list of words as JSON; no word contains a comma, a quotation mark or a backslash.
    private static func words(_ column: String) -> String {
        #"'["' || replace(nullif(\#(column), ''), ',', '","') || '"]'"#
    }

    private static func tag(_ row: String) -> String {
        "INSERT INTO frameTag (tag, id, camera, verdict) SELECT DISTINCT value, \(row).id, \(row).camera, \(row).verdict"
            + " FROM json_each(\(words("\(row).tags")));"
    }

    private static func untag(_ row: String) -> String {
        "DELETE FROM frameTag WHERE id = \(row).id AND tag IN (SELECT value FROM json_each(\(words("\(row).tags"))));"
    }
}
