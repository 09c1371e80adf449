// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// What a search has found.
struct FoundFrames {
    var rows: [FrameRow] = []
    /// The id behind which it goes on; nil where nothing is left.
    var end: FrameID?
}

extension Catalog {
    /// How long a search goes on at most, where few frames fit, before it gives what it has found so far.
    static let searchTime = Duration.milliseconds(250)
    /// The entries of an index that are looked at in one step: the first, and the most.
    private static let steps = (first: 1000, most: 8000)

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
    /// one step is made.
    ///
    /// Listed frames can be deleted and change meanwhile: a list continues behind an id, not at a place.
    func search(
        _ filter: FrameFilter,
        order: FrameOrder,
        limit: Int,
        after last: FrameID? = nil,
        within time: Duration = searchTime
    ) throws(Problem) -> FoundFrames {
        let filter = filter.resolved(at: .now())
        let begin = MonotonicTime.now()
        return try read(asked: true) { database in
            let steps = try FrameSteps(filter, order, database)
            let one = try database.cachedStatement(sql: "SELECT * FROM frame WHERE id = ?")
            var found = FoundFrames()
            var bounds = filter.bounds
            if let last {
                let all = FrameFilter.everything.bounds
                bounds = bounds.clamped(to: order == .newest ? all.lowerBound..<last : last.next..<all.upperBound)
            }
            var count = Self.steps.first
            while !bounds.isEmpty {
                let (ids, rest) = try steps.ids(in: bounds, count, limit: limit - found.rows.count)
                for id in ids {
                    if let row = try FrameRow.fetchOne(one, arguments: [id.databaseValue]) { found.rows.append(row) }
                }
                guard let rest else { break }
                found.end = rest.end
                guard found.rows.count < limit, MonotonicTime.now() - begin < time else { return found }
                bounds = rest.bounds
                count = min(2 * count, Self.steps.most)
            }
            found.end = nil
            return found
        }
    }
}
