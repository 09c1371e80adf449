// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel
internal import TintypeSystem

extension Catalog {
    /// Time limit of a search, after which it returns the frames found so far.
    static let searchTime = Duration.milliseconds(250)
    /// Number of index entries between two looks at the clock; they take a few milliseconds.
    private static let step = 1000

    /// Returns a page of rows and the cursor of the next page, nil on the last.
    ///
    /// The page may be short, or even empty, with another page after it: see ``search(_:order:limit:after:within:)``.
    func page(
        _ query: FrameQuery,
        within time: Duration = searchTime
    ) throws(Problem) -> (rows: [FrameRow], next: FrameCursor?) {
        // One extra row shows if there is another page.
        var found = try search(
            query.filter,
            order: query.order,
            limit: query.limit + 1,
            after: query.cursor?.last,
            within: time
        )
        if found.rows.count > query.limit {
            found.rows.removeLast()
            found.end = found.rows.last?.id
        }
        return (found.rows, found.end.map { FrameCursor(query.order, after: $0) })
    }

    /// Returns the first `limit` matching rows after `last`, and the id to continue after, nil at the end.
    ///
    /// Stops early at the time limit, but makes at least one step. Continuing after an id, not at an offset, keeps a
    /// list stable while frames are deleted or changed.
    func search(
        _ filter: FrameFilter,
        order: FrameOrder,
        limit: Int,
        after last: FrameID? = nil,
        within time: Duration = searchTime
    ) throws(Problem) -> (rows: [FrameRow], end: FrameID?) {
        let filter = filter.resolved(at: clock.wall)
        let begin = clock.now
        return try read(asked: true) { database in
            var rest = filter.bounds
            if let last {
                let all = FrameFilter.ids
                rest = rest.clamped(to: order == .newest ? all.lowerBound..<last : last.next..<all.upperBound)
            }
            let list = filter.list(order, in: rest)
            // Not cached: the SQL text differs with each filter.
            let entries = try Row.fetchCursor(database, sql: list.text, arguments: StatementArguments(list.arguments))
            let one = try database.cachedStatement(sql: "SELECT * FROM frame WHERE id = ?")
            var found: (rows: [FrameRow], end: FrameID?) = ([], nil)
            var count = 0
            while let entry = try entries.next() {
                count += 1
                let isEndOfStep = count.isMultiple(of: Self.step)
                let fits: DatabaseValue = entry[1]
                guard fits == 1.databaseValue || isEndOfStep else { continue }
                let id = try CheckedRow(entry).id("id")
                // A damaged index can contain a cycle.
                guard rest.contains(id) else {
                    throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "an index of frames is not in order")
                }
                rest = order == .newest ? rest.lowerBound..<id : id.next..<rest.upperBound
                if fits == 1.databaseValue, let row = try FrameRow.fetchOne(one, arguments: [id.databaseValue]) {
                    found.rows.append(row)
                }
                if found.rows.count == limit || isEndOfStep && clock.now - begin >= time {
                    found.end = id
                    break
                }
            }
            return found
        }
    }

    /// Next rows to compare with their files, perhaps none, and the place to continue at, nil at the end.
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
}

/// Progress of a comparison through the rows.
enum RowPlace: Sendable {
    /// Through all rows, by id.
    case behind(FrameID?)
    /// By path, skipping the rows whose files are in one of these folders, which have no subfolders.
    case behindPath(String, passing: Set<String>)
}
