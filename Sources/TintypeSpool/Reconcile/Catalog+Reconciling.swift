// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// How far a comparison has come with the rows.
enum RowPlace: Sendable {
    /// It goes through all of them, by their ids.
    case behind(FrameID?)
    /// It goes through those whose files are not in one of these folders, in which no folder is, by their paths.
    case behindPath(String, passing: Set<String>)
}

extension Catalog {
    /// The next rows that are compared with their files, `limit` at most, maybe none, and where it goes on; nil at the end.
    func rowsToCompare(from place: RowPlace, limit: Int) throws(Problem) -> (rows: [FrameRow], next: RowPlace?) {
        switch place {
        case .behind(let last):
            let rows = try rows(
                "SELECT * FROM frame WHERE \(last == nil ? "id >= ?" : "id > ?") ORDER BY id LIMIT ?",
                [(last ?? FrameID(firstOf: 0)).databaseValue, limit]
            )
            return (rows, rows.last.map { RowPlace.behind($0.id) })
        case .behindPath(let path, let passed):
            let rows = try rows("SELECT * FROM frame WHERE path > ? ORDER BY path LIMIT ?", [path, limit])
            guard let last = rows.last else { return ([], nil) }
            // Behind everything that is in the folder: “0” comes behind “/”.
            let end = passed.contains(String(last.parent)) ? "\(last.parent)0" : last.path
            guard path.utf8.lexicographicallyPrecedes(end.utf8) else {
                throw isDamaged("the index of paths is not in order")
            }
            return (rows.filter { !passed.contains(String($0.parent)) }, .behindPath(end, passing: passed))
        }
    }

    /// Forgets the oldest tombstones where there are more than `most`, a few thousand at once: a caller that deletes
    /// pictures as fast as they come would have millions in 30 days.
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
