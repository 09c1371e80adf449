// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel
internal import TintypeSystem

extension Catalog {
    /// Inserts tombstones for the files of these rows in one durable transaction.
    ///
    /// The rows stay until the files are removed: a row with a tombstone is a deletion in progress.
    func addTombstones(over rows: [FrameRow]) throws(Problem) {
        let now = clock.wall
        try write(isDurable: true) { database in
            for row in rows {
                let tombstone = Tombstone(path: row.path, id: row.id, deletedAt: now, sha256: row.sha256)
                try tombstone.insert(database, onConflict: .replace)
            }
        }
    }

    /// Deletes the tombstones of rows whose deletion failed.
    func removeTombstones(of rows: [FrameRow]) throws(Problem) {
        try write(isDurable: true) { database in
            for row in rows { try Tombstone.deleteOne(database, key: row.path) }
        }
    }

    func tombstone(at path: String) throws(Problem) -> Tombstone? {
        try read { database in
            try Tombstone.fetchOne(database, sql: "SELECT * FROM tombstone WHERE path = ?", arguments: [path])
        }
    }

    /// True if the id belongs to a row, or to a tombstone not older than `oldest`.
    ///
    /// No other picture may then get it: a deleted frame stays deleted, even if a copy of its file has another name.
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

    /// True if a row or a tombstone has the path, so that no other picture should get it.
    func isTaken(path: String) throws(Problem) -> Bool {
        try read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT 1 FROM frame WHERE path = ? UNION ALL SELECT 1 FROM tombstone WHERE path = ?"
            )
            return try Int.fetchOne(statement, arguments: [path, path]) != nil
        }
    }

    /// Rows with a tombstone: their deletion was interrupted.
    func rowsUnderTombstones(limit: Int) throws(Problem) -> [FrameRow] {
        try rows("SELECT frame.* FROM tombstone CROSS JOIN frame ON frame.path = tombstone.path LIMIT ?", [limit])
    }

    /// Deletes rows, but not the tombstones on their paths.
    ///
    /// Not flushed: a row that reappears after a power cut still has its tombstone.
    func remove(_ rows: [FrameRow]) throws(Problem) {
        try write(isDurable: false) { database in
            for row in rows { try FrameRow.deleteOne(database, key: row.id.databaseValue) }
        }
    }

    /// Deletes up to 5000 tombstones older than `moment`, oldest first, and returns their number.
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
