// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

extension Catalog {
    /// The values of a row that a comparison with its file needs.
    struct Entry: Hashable, Sendable {
        var id: FrameID
        var bytes: Int
        var isLost: Bool
    }

    /// The values of the row of that path; nil if there is none.
    func entry(at path: String) throws(Problem) -> Entry? {
        try read { database in
            try self.row("SELECT * FROM frame WHERE path = ?", [path], database)
                .map { Entry(id: $0.id, bytes: $0.bytes, isLost: $0.isLost) }
        }
    }
}

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
            let rows = try soundRows(after: last, limit: limit)
            guard let first = rows.first, let last = rows.last else { return ([], nil) }
            if try !agrees(from: first.id, to: last.id) { try derive() }
            return (rows, .behind(last.id))
        case .behindPath(let path, let passed):
            let rows = try soundRows("SELECT * FROM frame WHERE path > ? ORDER BY path LIMIT ?", [path, limit])
            guard let last = rows.last else { return ([], nil) }
            // Behind everything that is in the folder: “0” comes behind “/”.
            let end = passed.contains(String(last.parent)) ? "\(last.parent)0" : last.path
            guard path.utf8.lexicographicallyPrecedes(end.utf8) else {
                throw isDamaged("the index of paths is not in order")
            }
            return (rows.filter { !passed.contains(String($0.parent)) }, .behindPath(end, passing: passed))
        }
    }

    /// The next rows behind `last`, by their ids, `limit` at most; none at the end.
    func soundRows(after last: FrameID?, limit: Int) throws(Problem) -> [FrameRow] {
        try soundRows(
            "SELECT * FROM frame WHERE \(last == nil ? "id >= ?" : "id > ?") ORDER BY id LIMIT ?",
            [(last ?? FrameID(firstOf: 0)).databaseValue, limit]
        )
    }

    /// The rows of a query of all columns of `frame`; none only where it has none that is sound.
    func soundRows(_ sql: String, _ arguments: StatementArguments) throws(Problem) -> [FrameRow] {
        while true {
            let setAside = repairs.rowsSetAside
            let (sound, count) = try read { database in
                let statement = try database.cachedStatement(sql: sql)
                let rows = try Row.fetchAll(statement, arguments: arguments)
                return (rows.compactMap { self.sound($0) }, rows.count)
            }
            // Damaged ones are gone by now, unless the disk is full.
            if !sound.isEmpty || count == 0 || setAside == repairs.rowsSetAside { return sound }
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

/// Whether what triggers derive from the rows of `frame` agrees with them: a program may have changed it, or a disk.
extension Catalog {
    /// Whether cameras and tags of the rows from one id to another are among those that are known.
    func agrees(from first: FrameID, to last: FrameID) throws(Problem) -> Bool {
        try read { database in
            let statement = try database.cachedStatement(sql: CatalogSchema.disagreement)
            return try Row.fetchOne(statement, arguments: [first.databaseValue, last.databaseValue]) == nil
        }
    }

    /// The names of the cameras that have frames; makes what is derived again where one is damaged.
    func cameras() throws(Problem) -> [String] { try read { try cameras($0) } }

    /// Whether a camera has as many frames and bytes now as its totals say.
    func agrees(_ camera: String) throws(Problem) -> Bool {
        try read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT (
                        SELECT count(*) = cameraTotal.frames
                            AND ifnull(sum(\(CatalogSchema.bytes("frame"))), 0) = cameraTotal.bytes
                            AND ifnull(sum(frame.pinned <> 0), 0) = cameraTotal.pinned
                            AND ifnull(sum(frame.isLost <> 0), 0) = cameraTotal.lost
                            FROM frame INDEXED BY frame_camera WHERE frame.camera = cameraTotal.camera
                    ) FROM cameraTotal WHERE camera = ?
                    """
            )
            // Its last frame may have gone.
            return try Int.fetchOne(statement, arguments: [camera]) ?? 1 == 1
        }
    }

    /// Makes totals and tags again.
    func derive() throws(Problem) { try perform("write") { try derive($0) } }
}
