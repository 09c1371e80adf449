// SPDX-License-Identifier: Apache-2.0

/// The tables that triggers derive from the rows of `frame`, as a whole.
extension CatalogSchema {
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
}
