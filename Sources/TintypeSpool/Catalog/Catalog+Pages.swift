// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

extension Catalog {
    /// A page of a list of rows, and where the next begins; nil on the last.
    func page(_ query: FrameQuery) throws(Problem) -> (rows: [FrameRow], next: FrameCursor?) {
        // One more than asked for tells whether there is another page.
        var rows = try rows(
            matching: query.filter,
            order: query.order,
            limit: query.limit + 1,
            after: query.cursor?.last
        )
        guard rows.count > query.limit else { return (rows, nil) }
        rows.removeLast()
        return (rows, rows.last.map { FrameCursor(query.order, after: $0.id) })
    }

    /// The first rows behind `last` that fit a filter, `limit` at most.
    ///
    /// Listed frames can be deleted and change meanwhile: a list continues behind an id, not at a place.
    func rows(
        matching filter: FrameFilter,
        order: FrameOrder,
        limit: Int,
        after last: FrameID? = nil
    ) throws(Problem) -> [FrameRow] {
        let filter = filter.resolved(at: .now())
        return try read(asked: true) { database in
            let plan = try FramePlan(filter, database, passingOver: isDerived)
            var ids = try FrameMerge(plan, order, behind: last, limit: limit, database)
            let one = try database.cachedStatement(sql: "SELECT * FROM frame WHERE id = ?")
            var rows: [FrameRow] = []
            while rows.count < limit, let id = try ids.next() {
                if let row = try Row.fetchOne(one, arguments: [id]).flatMap({ sound($0) }) { rows.append(row) }
            }
            return rows
        }
    }
}
