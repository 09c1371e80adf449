// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

extension Catalog {
    /// What has to be known of a row to compare it with a file.
    struct Entry: Hashable, Sendable {
        var id: FrameID
        var bytes: Int
        var isLost: Bool
    }

    /// What the row of that path says; nil if there is none.
    func entry(at path: String) throws(Problem) -> Entry? {
        try read { database in
            let statement = try database.cachedStatement(sql: "SELECT id, bytes, isLost FROM frame WHERE path = ?")
            guard let row = try Row.fetchOne(statement, arguments: [path]) else { return nil }
            guard let id = (row["id"] as String?).flatMap({ FrameID($0) }), let bytes = row["bytes"] as Int? else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the row of \(path) has no id or no length")
            }
            return Entry(id: id, bytes: bytes, isLost: (row["isLost"] as Int64?) != 0)
        }
    }
}

extension Catalog {
    /// The next rows behind `last`, the oldest first, `limit` at most.
    ///
    /// A row that has in it what nobody wrote is damage, and is told as such.
    func soundRows(after last: FrameID?, limit: Int) throws(Problem) -> [FrameRow] {
        try read { database in
            var rows = try SoundRows(
                database,
                "SELECT * FROM frame WHERE id > ? ORDER BY id LIMIT ?",
                [last?.description ?? "", limit]
            )
            var sound: [FrameRow] = []
            while let row = try rows.next() { sound.append(try row.get()) }
            return sound
        }
    }

    /// Forgets the oldest tombstones where there are more than `most`, a few thousand at once: whoever lets pictures go
    /// as fast as they come would have millions in 30 days.
    func forgetTombstones(beyond most: Int) throws(Problem) {
        let surplus = try read { try Int.fetchOne($0, sql: "SELECT count(*) FROM tombstone") ?? 0 } - most
        guard surplus > 0 else { return }
        try write(isDurable: false) { database in
            try database.execute(
                sql: "DELETE FROM tombstone WHERE path IN (SELECT path FROM tombstone ORDER BY deletedAt LIMIT ?)",
                arguments: [min(surplus, 5000)]
            )
        }
    }
}
