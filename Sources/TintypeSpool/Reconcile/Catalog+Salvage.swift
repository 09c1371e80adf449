// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

extension Catalog {
    /// Merges the rows read from a catalog that was set aside, and returns the number of frames affected.
    ///
    /// Idempotent, also if files were taken in or frames deleted meanwhile: deleted frames stay deleted, and existing
    /// rows get missing pins and tags.
    func takeOver(_ part: CatalogSalvage.Part) throws(Problem) -> Int {
        defer { lastNumber = part.frames.reduce(lastNumber) { max($0, $1.number) } }
        return try write(isDurable: true) { database in
            // An existing row belongs to another picture, or to one that was restored.
            let bury = try database.cachedStatement(
                sql: """
                    INSERT OR IGNORE INTO tombstone (path, id, deletedAt, sha256)
                        SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS (SELECT 1 FROM frame WHERE path = ?1 OR id = ?2)
                    """
            )
            for tombstone in part.tombstones {
                let (id, sha256) = (tombstone.id.databaseValue, DatabaseValue(hexadecimal: tombstone.sha256))
                try bury.execute(arguments: [tombstone.path, id, tombstone.deletedAt.microseconds, sha256])
            }
            let isBuried = try database.cachedStatement(
                sql: "SELECT 1 FROM tombstone WHERE id = ? UNION ALL SELECT 1 FROM tombstone WHERE path = ?"
            )
            // The same picture has the same id, or the same path and checksum.
            let amend = try database.cachedStatement(
                sql: """
                    UPDATE frame SET pinned = max(pinned, ?1), tags = ifnull(tags, ?2)
                        WHERE (id = ?3 OR (path = ?4 AND sha256 = ?5))
                            AND (pinned < ?1 OR (tags IS NULL AND ?2 IS NOT NULL))
                    """
            )
            var count = 0
            for numbered in part.frames {
                let row = numbered.row
                let (id, sha256) = (row.id.databaseValue, DatabaseValue(hexadecimal: row.sha256))
                guard try Int.fetchOne(isBuried, arguments: [id, row.path]) == nil else { continue }
                try numbered.insert(database, onConflict: .ignore)
                if database.changesCount == 0 {
                    let tags = row.tags.map(FrameRow.text)
                    try amend.execute(arguments: [row.isPinned ? 1 : 0, tags, id, row.path, sha256])
                }
                count += database.changesCount
            }
            return count
        }
    }
}
