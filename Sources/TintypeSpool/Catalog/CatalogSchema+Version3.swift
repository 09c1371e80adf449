// SPDX-License-Identifier: Apache-2.0

extension CatalogSchema {
    /// Pins, lost files and tombstones, and objects that answered queries until the next version but one.
    static let version3 = """
        ALTER TABLE frame ADD COLUMN source TEXT NOT NULL DEFAULT 'request';
        ALTER TABLE frame ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE frame ADD COLUMN isLost INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE frame ADD COLUMN scale INTEGER NOT NULL DEFAULT 0;
        UPDATE frame SET scale = \(scale("frame"));
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

    private static let classes = """
        INSERT INTO frameClass
            SELECT camera, ifnull(verdict, ''), ifnull(settled, -1), source, pinned, isLost, scale, count(*), sum(bytes)
            FROM frame GROUP BY 1, 2, 3, 4, 5, 6, 7;
        """

    private static let tags = """
        INSERT INTO frameTag SELECT DISTINCT value, frame.camera, frame.id
            FROM frame, json_each(\(words("frame.tags"))) WHERE frame.tags <> '';
        """

    /// About how large a frame is, by the steps that bytes, width and height are at or above: two digits for each.
    private static func scale(_ row: String) -> String {
        // 4 KiB, 6 KiB, 8 KiB, … 16 MiB, then 32 and 64 MiB.
        let bytes = (12...23).flatMap { [1 << $0, 3 << ($0 - 1)] } + [1 << 24, 1 << 25, 1 << 26]
        let parts = [
            (10_000, "bytes", bytes), (100, "width", [320, 640, 800, 1024, 1280, 1600, 1920, 2560, 3840]),
            (1, "height", [240, 480, 600, 720, 960, 1080, 1440, 2160]),
        ]
        return parts.map { weight, column, thresholds in
            "\(weight) * (\(thresholds.map { "(\(row).\(column) >= \($0))" }.joined(separator: " + ")))"
        }.joined(separator: " + ")
    }

    private static func count(_ row: String) -> String {
        """
        INSERT INTO frameClass VALUES (\(row).camera, ifnull(\(row).verdict, ''), ifnull(\(row).settled, -1),
                \(row).source, \(row).pinned, \(row).isLost, \(scale(row)), 1, \(row).bytes)
                ON CONFLICT DO UPDATE SET frames = frames + 1, bytes = bytes + excluded.bytes;
        """
    }

    /// Writes the scale into rows of a program that does not know it.
    ///
    /// A generated column would do that without a trigger, but SQLite takes no index with one for a covering index.
    private static func rescale(_ row: String) -> String {
        let scale = scale(row)
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
