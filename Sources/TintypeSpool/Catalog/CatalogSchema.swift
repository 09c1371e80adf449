// SPDX-License-Identifier: Apache-2.0
internal import GRDB

/// The tables of the catalog; a version that was released is never changed.
enum CatalogSchema {
    /// Makes the tables of version 5, or makes them of those of version 4: which of both a catalog has is for
    /// ``SchemaOrigin`` to say.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("v5") { database in
            // SQLite has such a function (unhex) since 3.41 only.
            let bytes = DatabaseFunction("bytesOf", argumentCount: 1, pure: true) { values in
                String.fromDatabaseValue(values[0]).map(DatabaseValue.init(hexadecimal:))
            }
            database.add(function: bytes)
            try database.execute(sql: version5(isOlder: try database.tableExists("frame")))
            database.remove(function: bytes)
        }
        return migrator
    }

    /// An index for each of the usual conditions of a query, and tables that triggers keep in step with `frame`.
    ///
    /// `frame_number` has the pictures of each camera that are there or not, pinned or not, by ``NumberedRow/number``.
    /// `cameraTotal` has the totals of each camera, and `frameTag` the frames of each tag. The triggers hold for every
    /// program that changes a row. `damagedFrame` has what was in rows that could not be read, as text. Times are
    /// microseconds since 1970; faults, appearance and tags are words with a comma between two.
    private static func version5(isOlder: Bool) -> String {
        """
        CREATE TABLE newer (
            id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16), number INTEGER NOT NULL, camera TEXT NOT NULL, path TEXT NOT NULL UNIQUE,
            bytes INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL, sequence INTEGER NOT NULL,
            capturedAt INTEGER NOT NULL, timestampSource TEXT NOT NULL, uncertaintyNs INTEGER, storedAt INTEGER NOT NULL,
            stored TEXT NOT NULL, sha256 BLOB NOT NULL CHECK (length(sha256) = 32), bootID TEXT NOT NULL,
            storedMonotonicNs INTEGER NOT NULL, isClockSynchronized INTEGER NOT NULL, settled INTEGER, verdict TEXT, faults TEXT, appearance TEXT, tags TEXT,
            average INTEGER, gapNs INTEGER, source TEXT NOT NULL, pinned INTEGER NOT NULL, isLost INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        \(isOlder ? framesOfVersion4 : "")
        ALTER TABLE newer RENAME TO frame;
        CREATE TABLE newer (
            path TEXT NOT NULL PRIMARY KEY, id BLOB NOT NULL CHECK (length(id) = 16), deletedAt INTEGER NOT NULL,
            sha256 BLOB NOT NULL CHECK (length(sha256) = 32)
        ) STRICT, WITHOUT ROWID;
        \(isOlder ? tombstonesOfVersion4 : "")
        ALTER TABLE newer RENAME TO tombstone;
        CREATE INDEX tombstone_deletedAt ON tombstone (deletedAt);
        CREATE INDEX tombstone_id ON tombstone (id);
        CREATE TABLE IF NOT EXISTS damagedFrame (reason TEXT NOT NULL, row TEXT NOT NULL, setAsideAt INTEGER NOT NULL) STRICT;

        CREATE INDEX frame_number ON frame (camera, isLost, pinned, number);
        CREATE INDEX frame_camera ON frame (camera, id, verdict, pinned, isLost, bytes);
        CREATE INDEX frame_verdict ON frame (verdict, id);
        CREATE INDEX frame_faulty ON frame (camera, verdict, id) WHERE verdict <> 'intact';
        CREATE INDEX frame_pinned ON frame (pinned, id, camera, verdict, tags) WHERE pinned = 1;
        CREATE INDEX frame_lost ON frame (isLost, id) WHERE isLost = 1;

        CREATE TABLE cameraTotal (
            camera TEXT NOT NULL PRIMARY KEY, frames INTEGER NOT NULL, bytes INTEGER NOT NULL, pinned INTEGER NOT NULL,
            lost INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE frameTag (
            tag TEXT NOT NULL, id BLOB NOT NULL, camera TEXT NOT NULL, verdict TEXT, PRIMARY KEY (tag, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX frameTag_camera ON frameTag (tag, camera, id, verdict);
        CREATE INDEX frameTag_verdict ON frameTag (tag, verdict, id, camera) WHERE verdict <> 'intact';
        \(derive)

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

    /// Rows of version 4 whose id or checksum is none are left out: the next comparison takes their pictures in.
    private static let framesOfVersion4 = """
        INSERT OR IGNORE INTO newer
            SELECT bytesOf(replace(id, '-', '')), number, camera, path, bytes, width, height, sequence, capturedAt,
                timestampSource, uncertaintyNs, storedAt, stored, bytesOf(sha256), bootID, storedMonotonicNs,
                isClockSynchronized, settled, verdict, faults, appearance, tags, average, gapNs, source, pinned, isLost
            FROM frame WHERE length(bytesOf(replace(id, '-', ''))) = 16 AND length(bytesOf(sha256)) = 32;
        DROP TABLE frame;
        DROP TABLE frameClass;
        DROP TABLE frameTag;
        """

    private static let tombstonesOfVersion4 = """
        INSERT INTO newer SELECT path, bytesOf(replace(id, '-', '')), deletedAt, bytesOf(sha256)
            FROM tombstone WHERE length(bytesOf(replace(id, '-', ''))) = 16 AND length(bytesOf(sha256)) = 32;
        DROP TABLE tombstone;
        """

    /// Makes the totals and the tags again from the rows of `frame`.
    static let derive = """
        DELETE FROM cameraTotal;
        INSERT INTO cameraTotal
            SELECT camera, count(*), sum(\(bytes("frame"))), sum(frame.pinned <> 0), sum(frame.isLost <> 0)
                FROM frame GROUP BY camera;
        DELETE FROM frameTag;
        INSERT INTO frameTag SELECT DISTINCT value, frame.id, frame.camera, frame.verdict
            FROM frame, json_each(\(words("frame.tags"))) WHERE frame.tags <> '';
        """

    /// A row from one id to another whose tags or camera are not among those.
    static let disagreement = """
        SELECT 1 FROM frame WHERE id >= ? AND id <= ? AND (
            NOT EXISTS (SELECT 1 FROM cameraTotal WHERE cameraTotal.camera = frame.camera)
            OR tags <> '' AND EXISTS (
                SELECT 1 FROM json_each(\(words("frame.tags"))) AS word WHERE NOT EXISTS (
                    SELECT 1 FROM frameTag WHERE frameTag.tag = word.value AND frameTag.id = frame.id
                        AND frameTag.camera = frame.camera AND frameTag.verdict IS frame.verdict
                )
            )
        ) LIMIT 1
        """

    /// The bytes of a frame that count: those of a file that is gone do not.
    static func bytes(_ row: String) -> String { "(\(row).isLost = 0) * \(row).bytes" }

    /// The words of a list as JSON: none of them has a comma, a quotation mark or a backslash in it.
    static func words(_ column: String) -> String {
        #"'["' || replace(nullif(\#(column), ''), ',', '","') || '"]'"#
    }

    private static func count(_ row: String) -> String {
        """
        INSERT INTO cameraTotal VALUES (\(row).camera, 1, \(bytes(row)), \(row).pinned <> 0, \(row).isLost <> 0)
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
        "INSERT INTO frameTag SELECT DISTINCT value, \(row).id, \(row).camera, \(row).verdict"
            + " FROM json_each(\(words("\(row).tags")));"
    }

    private static func untag(_ row: String) -> String {
        "DELETE FROM frameTag WHERE id = \(row).id AND tag IN (SELECT value FROM json_each(\(words("\(row).tags"))));"
    }
}
