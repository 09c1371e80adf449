// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel
internal import TintypeSystem

/// The table `tombstone` of a catalog: deletions in progress, and deleted frames for a time.
struct TombstoneTable {
    let connection: CatalogConnection

    /// Inserts tombstones for the files of these rows in one durable transaction; the rows stay until the files are
    /// removed: a row with a tombstone is a deletion in progress.
    func add(over rows: [FrameRow], at now: Timestamp) throws(Problem) {
        try connection.write(isDurable: true) { try Self.add(over: rows, at: now, $0) }
    }

    static func add(over rows: [FrameRow], at now: Timestamp, _ database: Database) throws {
        for row in rows {
            let tombstone = Tombstone(path: row.path, id: row.id, deletedAt: now, sha256: row.sha256)
            try tombstone.insert(database, onConflict: .replace)
        }
    }

    /// Deletes the tombstones of rows whose deletion failed.
    func remove(of rows: [FrameRow]) throws(Problem) {
        try connection.write(isDurable: true) { database in
            for row in rows { try Tombstone.deleteOne(database, key: row.path) }
        }
    }

    func at(_ path: String) throws(Problem) -> Tombstone? {
        try connection.read { try Tombstone.fetchOne($0, key: path) }
    }

    /// True if the id belongs to a row, or to a tombstone not older than `oldest`.
    ///
    /// No other picture may then get it: a deleted frame stays deleted, even if a copy of its file has another name.
    func isTaken(_ id: FrameID, since oldest: Timestamp) throws(Problem) -> Bool {
        let sql = "SELECT 1 FROM frame WHERE id = ? UNION ALL SELECT 1 FROM tombstone WHERE id = ? AND deletedAt >= ?"
        return try exists(sql, [id.databaseValue, id.databaseValue, oldest.microseconds])
    }

    /// True if a row or a tombstone has the path, so that no other picture should get it.
    func isTaken(path: String) throws(Problem) -> Bool {
        try exists("SELECT 1 FROM frame WHERE path = ? UNION ALL SELECT 1 FROM tombstone WHERE path = ?", [path, path])
    }

    private func exists(_ sql: String, _ arguments: StatementArguments) throws(Problem) -> Bool {
        try connection.read { try Int.fetchOne(try $0.cachedStatement(sql: sql), arguments: arguments) != nil }
    }

    /// Rows whose deletion was interrupted.
    func rows(limit: Int) throws(Problem) -> [FrameRow] {
        let sql = "SELECT frame.* FROM tombstone CROSS JOIN frame ON frame.path = tombstone.path LIMIT ?"
        return try connection.read { try FrameRow.fetchAll($0, sql: sql, arguments: [limit]) }
    }

    /// Deletes the oldest tombstones above `most`, up to 5000 per call: clients that delete much would leave millions.
    func forget(beyond most: Int) throws(Problem) {
        let surplus = try connection.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM tombstone") ?? 0 } - most
        guard surplus > 0 else { return }
        _ = try forget("", [min(surplus, 5000)])
    }

    /// Deletes up to 5000 tombstones older than `moment`, oldest first, and returns their number.
    func forget(before moment: Timestamp) throws(Problem) -> Int {
        try forget("WHERE deletedAt < ?", [moment.microseconds, 5000])
    }

    private func forget(_ condition: String, _ arguments: StatementArguments) throws(Problem) -> Int {
        let oldest = "SELECT path FROM tombstone \(condition) ORDER BY deletedAt LIMIT ?"
        return try connection.write(isDurable: false) { database in
            try database.execute(sql: "DELETE FROM tombstone WHERE path IN (\(oldest))", arguments: arguments)
            return database.changesCount
        }
    }
}

/// Record of a deleted frame, which keeps its file from being taken in again if it reappears.
struct Tombstone: Hashable, Sendable {
    /// Relative to the spool.
    var path: String
    var id: FrameID
    var deletedAt: Timestamp
    /// Checksum of the deleted picture: another picture of that name is another frame.
    var sha256: String

    static let lifetime = Duration.seconds(30 * 86_400)

    /// Time before which tombstones have expired at `now`.
    static func oldest(at now: Timestamp) -> Timestamp { now - lifetime }
}

extension Tombstone: FetchableRecord, PersistableRecord {
    static let databaseTableName = "tombstone"

    /// Throws SQLITE_CORRUPT for values that tintyped never writes.
    init(row: Row) throws {
        let row = CheckedRow(row)
        self.init(
            path: try row.value("path") { SpoolPath.isPossible($0) ? $0 : nil },
            id: try row.id("id"),
            deletedAt: try row.moment("deletedAt"),
            sha256: try row.checksum("sha256")
        )
    }

    func encode(to container: inout PersistenceContainer) {
        container["path"] = path
        container["id"] = id.databaseValue
        container["deletedAt"] = deletedAt.microseconds
        container["sha256"] = DatabaseValue(hexadecimal: sha256)
    }
}
