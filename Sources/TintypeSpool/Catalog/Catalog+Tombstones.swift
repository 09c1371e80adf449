// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel
internal import TintypeSystem

extension Catalog {
    /// Puts tombstones over the files of these rows, all or none, and returns once they are on the disk.
    ///
    /// The rows stay until the files are gone: a row under a tombstone is a deletion that has begun.
    func addTombstones(over rows: [FrameRow]) throws(Problem) {
        let now = clock.wall
        try write(isDurable: true) { database in
            for row in rows {
                let tombstone = Tombstone(path: row.path, id: row.id, deletedAt: now, sha256: row.sha256)
                try tombstone.insert(database, onConflict: .replace)
            }
        }
    }

    /// Takes the tombstones of these rows away: their deletion has not come about.
    func removeTombstones(of rows: [FrameRow]) throws(Problem) {
        try write(isDurable: true) { database in
            for row in rows { try Tombstone.deleteOne(database, key: row.path) }
        }
    }

    /// The tombstone over a path; nil if there is none.
    func tombstone(at path: String) throws(Problem) -> Tombstone? {
        try read { database in
            try Tombstone.fetchOne(database, sql: "SELECT * FROM tombstone WHERE path = ?", arguments: [path])
        }
    }

    /// Whether a row has an id, or a tombstone of that moment or later, so that no other picture may get it: what was deleted stays gone, also where
    /// a copy of its file lies under another name.
    func isTaken(_ id: FrameID, since oldest: Timestamp) throws(Problem) -> Bool {
        try read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT 1 FROM frame WHERE id = ? UNION ALL SELECT 1 FROM tombstone WHERE id = ? AND deletedAt >= ?
                    """
            )
            let arguments: StatementArguments = [id.databaseValue, id.databaseValue, oldest.microseconds]
            return try Int.fetchOne(statement, arguments: arguments) != nil
        }
    }

    /// Whether a row or a tombstone has a path, so that no other picture should get it.
    func isTaken(path: String) throws(Problem) -> Bool {
        try read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT 1 FROM frame WHERE path = ? UNION ALL SELECT 1 FROM tombstone WHERE path = ?"
            )
            return try Int.fetchOne(statement, arguments: [path, path]) != nil
        }
    }

    /// Rows under a tombstone, `limit` at most: their deletion has begun and was interrupted.
    func rowsUnderTombstones(limit: Int) throws(Problem) -> [FrameRow] {
        try rows("SELECT frame.* FROM tombstone CROSS JOIN frame ON frame.path = tombstone.path LIMIT ?", [limit])
    }

    /// Removes rows; the tombstones over their paths stay.
    ///
    /// Not flushed: a row that is back after a power cut is under its tombstone still.
    func remove(_ rows: [FrameRow]) throws(Problem) {
        try write(isDurable: false) { database in
            for row in rows { try FrameRow.deleteOne(database, key: row.id.databaseValue) }
        }
    }

    /// Removes the tombstones of before a moment, the oldest few thousand at once, and returns how many.
    func forgetTombstones(before moment: Timestamp) throws(Problem) -> Int {
        try write(isDurable: false) { database in
            try database.execute(
                sql: """
                    DELETE FROM tombstone WHERE path IN \
                    (SELECT path FROM tombstone WHERE deletedAt < ? ORDER BY deletedAt LIMIT 5000)
                    """,
                arguments: [moment.microseconds]
            )
            return database.changesCount
        }
    }
}
