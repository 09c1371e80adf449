// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// Progress of a comparison through the rows.
enum RowPlace: Sendable {
    /// Through all rows, by id.
    case behind(FrameID?)
    /// By path, skipping the rows whose files are in one of these folders, which have no subfolders.
    case behindPath(String, passing: Set<String>)
}

extension Catalog {
    /// Next rows to compare with their files, and the place to continue at, nil at the end.
    ///
    /// May return no rows before the end.
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
            // Skips all paths in the folder: “0” sorts directly after “/”.
            let end = passed.contains(String(last.parent)) ? "\(last.parent)0" : last.path
            guard path.utf8.lexicographicallyPrecedes(end.utf8) else {
                throw isDamaged("the index of paths is not in order")
            }
            return (rows.filter { !passed.contains(String($0.parent)) }, .behindPath(end, passing: passed))
        }
    }

    /// Deletes the oldest tombstones above `most`, up to 5000 per call.
    ///
    /// A client that deletes pictures as fast as they arrive would leave millions in 30 days.
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
