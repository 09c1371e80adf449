// SPDX-License-Identifier: Apache-2.0

extension CatalogSchema {
    /// The objects that answer queries: the index of all lists, and the tables that triggers keep in step with `frame`.
    ///
    /// `frame_class` has the frames of each class, which is one combination of all that has few values, by their ids, and
    /// behind that all that a filter can ask for: every page of every list is read from it, or from `frameTag`.
    /// `frameClass` has the classes that there are with their totals, `frameTag` the frames of each tag, `tombstone` the
    /// files that must not be taken in again. The triggers hold for every program that changes a row.
    static let version3 = """
        ALTER TABLE frame ADD COLUMN source TEXT NOT NULL DEFAULT 'request';
        ALTER TABLE frame ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE frame ADD COLUMN isLost INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE frame ADD COLUMN scale INTEGER NOT NULL DEFAULT 0;
        UPDATE frame SET scale = \(FrameSteps.sql("frame"));
        DROP INDEX frame_camera_capturedAt;
        CREATE INDEX frame_class ON frame (camera, verdict, settled, source, pinned, isLost, scale, id,
            capturedAt, bytes, width, height, tags);

        CREATE TABLE frameClass (
            camera TEXT NOT NULL, verdict TEXT NOT NULL, settled INTEGER NOT NULL, source TEXT NOT NULL,
            pinned INTEGER NOT NULL, isLost INTEGER NOT NULL, scale INTEGER NOT NULL,
            frames INTEGER NOT NULL, bytes INTEGER NOT NULL,
            PRIMARY KEY (camera, verdict, settled, source, pinned, isLost, scale)
        ) STRICT, WITHOUT ROWID;
        \(classes)

        CREATE TABLE frameTag (
            tag TEXT NOT NULL, camera TEXT NOT NULL, frame TEXT NOT NULL, PRIMARY KEY (tag, camera, frame)
        ) STRICT, WITHOUT ROWID;
        \(tags)

        CREATE TABLE tombstone (
            path TEXT NOT NULL PRIMARY KEY, id TEXT NOT NULL, deletedAt INTEGER NOT NULL, sha256 TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX tombstone_deletedAt ON tombstone (deletedAt);
        CREATE INDEX tombstone_id ON tombstone (id);

        CREATE TRIGGER frame_inserted AFTER INSERT ON frame BEGIN
            \(count("NEW"))
            \(rescale("NEW"))
            DELETE FROM tombstone WHERE path = NEW.path;
        END;
        CREATE TRIGGER frame_deleted AFTER DELETE ON frame BEGIN
            \(discount("OLD"))
        END;
        CREATE TRIGGER frame_reclassed AFTER UPDATE OF camera, verdict, settled, source, pinned, isLost, bytes, width, height
            ON frame BEGIN
            \(discount("OLD"))
            \(count("NEW"))
            \(rescale("NEW"))
        END;
        CREATE TRIGGER frame_tagged AFTER INSERT ON frame WHEN NEW.tags <> '' BEGIN
            \(tag("NEW"))
        END;
        CREATE TRIGGER frame_untagged AFTER DELETE ON frame WHEN OLD.tags <> '' BEGIN
            \(untag("OLD"))
        END;
        CREATE TRIGGER frame_retagged AFTER UPDATE OF id, camera, tags ON frame BEGIN
            \(untag("OLD"))
            \(tag("NEW"))
        END;
        """

    /// The words of a list as JSON: none of them has a comma, a quotation mark or a backslash in it.
    static func words(_ column: String) -> String {
        #"'["' || replace(nullif(\#(column), ''), ',', '","') || '"]'"#
    }

    private static func count(_ row: String) -> String {
        """
        INSERT INTO frameClass VALUES (\(row).camera, ifnull(\(row).verdict, ''), ifnull(\(row).settled, -1),
                \(row).source, \(row).pinned, \(row).isLost, \(FrameSteps.sql(row)), 1, \(row).bytes)
                ON CONFLICT DO UPDATE SET frames = frames + 1, bytes = bytes + excluded.bytes;
        """
    }

    /// Writes the scale into rows of a program that does not know it.
    ///
    /// A generated column would do that without a trigger, but SQLite takes no index with one for a covering index.
    private static func rescale(_ row: String) -> String {
        let scale = FrameSteps.sql(row)
        return "UPDATE frame SET scale = \(scale) WHERE id = \(row).id AND scale <> \(scale);"
    }

    private static func discount(_ row: String) -> String {
        let key = """
            camera = \(row).camera AND verdict = ifnull(\(row).verdict, '') AND settled = ifnull(\(row).settled, -1)
                AND source = \(row).source AND pinned = \(row).pinned AND isLost = \(row).isLost AND scale = \(row).scale
            """
        return """
            UPDATE frameClass SET frames = frames - 1, bytes = bytes - \(row).bytes WHERE \(key);
            DELETE FROM frameClass WHERE frames = 0 AND \(key);
            """
    }

    private static func tag(_ row: String) -> String {
        "INSERT INTO frameTag SELECT DISTINCT value, \(row).camera, \(row).id FROM json_each(\(words("\(row).tags")));"
    }

    private static func untag(_ row: String) -> String {
        "DELETE FROM frameTag WHERE camera = \(row).camera AND frame = \(row).id"
            + " AND tag IN (SELECT value FROM json_each(\(words("\(row).tags"))));"
    }
}
