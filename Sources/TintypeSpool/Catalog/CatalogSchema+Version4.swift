// SPDX-License-Identifier: Apache-2.0

extension CatalogSchema {
    /// The order in which pictures came into the spool, and the rows that were set aside.
    ///
    /// `frame_number` has the pictures of each camera that are there or not, pinned or not, by ``NumberedRow/number``.
    /// `damagedFrame` has what was in rows that could not be read, as text.
    static let version4 = """
        ALTER TABLE frame ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
        UPDATE frame SET number = max(0, capturedAt);
        CREATE INDEX frame_number ON frame (camera, isLost, pinned, number);
        CREATE TABLE damagedFrame (reason TEXT NOT NULL, row TEXT NOT NULL, setAsideAt INTEGER NOT NULL) STRICT;
        """
}
