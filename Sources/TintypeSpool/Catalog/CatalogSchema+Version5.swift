// SPDX-License-Identifier: Apache-2.0

extension CatalogSchema {
    /// Ids and checksums as bytes, and the objects that answer queries: an index for each of the usual conditions, and tables
    /// that triggers keep in step with `frame`.
    ///
    /// `cameraTotal` has the totals of each camera, and `frameTag` the frames of each tag. The triggers hold for every
    /// program that changes a row. Rows whose id or checksum is none are left out: the next comparison takes their pictures in.
    static let version5 = """
        CREATE TABLE newer (
            id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16), number INTEGER NOT NULL, camera TEXT NOT NULL, path TEXT NOT NULL UNIQUE,
            bytes INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL, sequence INTEGER NOT NULL,
            capturedAt INTEGER NOT NULL, timestampSource TEXT NOT NULL, uncertaintyNs INTEGER, storedAt INTEGER NOT NULL,
            stored TEXT NOT NULL, sha256 BLOB NOT NULL CHECK (length(sha256) = 32), bootID TEXT NOT NULL,
            storedMonotonicNs INTEGER NOT NULL, isClockSynchronized INTEGER NOT NULL, settled INTEGER, verdict TEXT, faults TEXT, appearance TEXT, tags TEXT,
            average INTEGER, gapNs INTEGER, source TEXT NOT NULL, pinned INTEGER NOT NULL, isLost INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        INSERT OR IGNORE INTO newer
            SELECT bytesOf(replace(id, '-', '')), number, camera, path, bytes, width, height, sequence, capturedAt,
                timestampSource, uncertaintyNs, storedAt, stored, bytesOf(sha256), bootID, storedMonotonicNs,
                isClockSynchronized, settled, verdict, faults, appearance, tags, average, gapNs, source, pinned, isLost
            FROM frame WHERE length(bytesOf(replace(id, '-', ''))) = 16 AND length(bytesOf(sha256)) = 32;
        DROP TABLE frame;
        ALTER TABLE newer RENAME TO frame;
        CREATE TABLE newer (
            path TEXT NOT NULL PRIMARY KEY, id BLOB NOT NULL CHECK (length(id) = 16), deletedAt INTEGER NOT NULL,
            sha256 BLOB NOT NULL CHECK (length(sha256) = 32)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO newer SELECT path, bytesOf(replace(id, '-', '')), deletedAt, bytesOf(sha256)
            FROM tombstone WHERE length(bytesOf(replace(id, '-', ''))) = 16 AND length(bytesOf(sha256)) = 32;
        DROP TABLE tombstone;
        ALTER TABLE newer RENAME TO tombstone;
        CREATE INDEX tombstone_deletedAt ON tombstone (deletedAt);
        CREATE INDEX tombstone_id ON tombstone (id);
        DROP TABLE frameClass;
        DROP TABLE frameTag;

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
