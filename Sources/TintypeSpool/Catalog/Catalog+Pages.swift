// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel
internal import TintypeSystem

extension Catalog {
    /// How long a search goes on at most, where few frames fit, before it gives what it has found so far.
    static let searchTime = Duration.milliseconds(250)
    /// After how many entries of an index the time is looked at: they take a few milliseconds, whatever fits.
    private static let step = 1000

    /// A page of a list of rows, and where the next begins; nil on the last.
    ///
    /// It may have fewer rows than asked for, or none, and another page behind it all the same, where few frames fit: see
    /// ``search(_:order:limit:after:within:)``.
    func page(
        _ query: FrameQuery,
        within time: Duration = searchTime
    ) throws(Problem) -> (rows: [FrameRow], next: FrameCursor?) {
        // One more than asked for tells whether there is another page.
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

    /// The first rows behind `last` that fit a filter, `limit` at most, and those that are found within a time: at least
    /// one step is made; and the id behind which it goes on, nil where nothing is left.
    ///
    /// Listed frames can be deleted and change meanwhile: a list continues behind an id, not at a place.
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
            // Their texts are as many as there are filters: they are not kept.
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
                // A damaged index can lead in circles.
                guard rest.contains(id) else {
                    throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "an index of frames is not in order")
                }
                rest = order == .newest ? rest.lowerBound..<id : id.next..<rest.upperBound
                if fits == 1.databaseValue,
                    let row = try FrameRow.fetchOne(one, arguments: [id.databaseValue])
                {
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
}
