// SPDX-License-Identifier: Apache-2.0

/// The tables that triggers derive from the rows of `frame`, as a whole.
extension CatalogSchema {
    /// Makes `scale`, the classes and the tags again from the rows of `frame`.
    static let derive = """
        UPDATE frame SET scale = \(FrameSteps.sql("frame")) WHERE scale <> \(FrameSteps.sql("frame"));
        DELETE FROM frameClass;
        \(classes)
        DELETE FROM frameTag;
        \(tags)
        """

    /// A row from one id to another of which scale, class or tags are not as it says.
    static let disagreement = """
        SELECT 1 FROM frame WHERE id >= ? AND id <= ? AND (
            scale <> \(FrameSteps.sql("frame"))
            OR NOT EXISTS (
                SELECT 1 FROM frameClass WHERE frameClass.camera = frame.camera
                    AND frameClass.verdict = ifnull(frame.verdict, '') AND frameClass.settled = ifnull(frame.settled, -1)
                    AND frameClass.source = frame.source AND frameClass.pinned = frame.pinned
                    AND frameClass.isLost = frame.isLost AND frameClass.scale = frame.scale
            )
            OR tags <> '' AND EXISTS (
                SELECT 1 FROM json_each(\(words("frame.tags"))) AS word WHERE NOT EXISTS (
                    SELECT 1 FROM frameTag WHERE frameTag.tag = word.value AND frameTag.camera = frame.camera
                        AND frameTag.frame = frame.id
                )
            )
        ) LIMIT 1
        """

    static let classes = """
        INSERT INTO frameClass
            SELECT camera, ifnull(verdict, ''), ifnull(settled, -1), source, pinned, isLost, scale, count(*), sum(bytes)
            FROM frame GROUP BY 1, 2, 3, 4, 5, 6, 7;
        """

    static let tags = """
        INSERT INTO frameTag SELECT DISTINCT value, frame.camera, frame.id
            FROM frame, json_each(\(words("frame.tags"))) WHERE frame.tags <> '';
        """
}
