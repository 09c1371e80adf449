// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel
internal import TintypeSystem

/// Searches of a catalog by a filter, in steps that look at the clock.
struct FrameSearch {
    let catalog: Catalog
    let clock: any MonotonicClock

    /// Time limit of a search, after which it returns the frames found so far.
    static let timeLimit = Duration.milliseconds(250)
    /// Index entries between two looks at the clock: a few milliseconds.
    private static let step = 1000

    /// Rows of a page, the cursor of the next page, nil on the last, and the number to continue after.
    typealias Page = (rows: [FrameRow], next: FrameCursor?, after: Int64?)

    /// A page may be short, or even empty, with another page after it: see ``search(_:order:limit:after:within:)``.
    func page(_ query: FrameQuery, within time: Duration = timeLimit) throws(Problem) -> Page {
        var query = query
        query.filter = query.filter.ofStillsUnlessAsked
        if let after = query.after { return try page(query, after: Int64(after), within: time) }
        // One extra row shows if there is another page.
        let (limit, last) = (query.limit + 1, query.cursor?.last)
        var found = try search(query.filter, order: query.order, limit: limit, after: last, within: time)
        if found.rows.count > query.limit {
            found.rows.removeLast()
            found.end = found.rows.last?.id
        }
        return (found.rows, found.end.map { FrameCursor(query.order, after: $0) }, nil)
    }

    /// Rows stored after `number`, in the order of storing; exceeds the limit by rows of the same number.
    private func page(_ query: FrameQuery, after number: Int64, within time: Duration) throws(Problem) -> Page {
        let filter = query.filter.resolved(at: clock.wall).sql
        let start = clock.now
        let size = min(Self.step, query.limit + 100)
        var page: Page = ([], nil, number)
        var last: FrameRow?
        while true {
            let isLate = last != nil && clock.now - start >= time
            let place = last?.place ?? ArrivalOrder.end(of: number)
            let step = try catalog.rows(in: ArrivalOrder(isPinned: true, isLost: true), after: place, limit: size)
            let fitting = try fitting(step.map(\.id), filter)
            for row in step {
                // Pages end between two numbers only: a client continues after a number.
                if row.number != page.after, isLate || page.rows.count >= query.limit { return page }
                page.after = row.number
                if fitting.contains(row.id) { page.rows.append(row) }
            }
            guard step.count == size else { return page }
            last = step.last
        }
    }

    private func fitting(_ ids: [FrameID], _ filter: SQL) throws(Problem) -> Set<FrameID> {
        let list = ids.map(\.databaseValue)
        let sql: SQL = "SELECT id FROM frame WHERE \(literal: filter) AND id IN \(list)"
        return try catalog.connection.read(asked: true) { database in
            let rows = try SQLRequest<Row>(literal: sql).fetchAll(database)
            return Set(try rows.map { try CheckedRow($0).id("id") })
        }
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
        within time: Duration = timeLimit,
        skipsWaiting: Bool = false
    ) throws(Problem) -> (rows: [FrameRow], end: FrameID?) {
        let filter = filter.resolved(at: clock.wall)
        let start = clock.now
        return try catalog.connection.read(asked: true) { database in
            var rest = filter.bounds
            if let last {
                let all = FrameFilter.ids
                rest = rest.clamped(to: order == .newest ? all.lowerBound..<last : last.next..<all.upperBound)
            }
            let list = filter.list(order, in: rest, skipsWaiting: skipsWaiting)
            // Not cached: the SQL text differs with each filter.
            let entries = try SQLRequest<Row>(literal: list).fetchCursor(database)
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
                if fits == 1.databaseValue, let row = try FrameRow.fetch(id, database) {
                    found.rows.append(row)
                }
                if found.rows.count == limit || isEndOfStep && clock.now - start >= time {
                    found.end = id
                    break
                }
            }
            return found
        }
    }

    /// Number of matching frames of a span, and the newest of them.
    ///
    /// ``FrameCondition/since(_:)`` must be resolved first. Not in steps: a million rows of one span, in an index that has
    /// all columns of the filter, take 0.2 s of CPU time.
    func count(_ filter: FrameFilter, in span: Range<Timestamp>) throws(Problem) -> (frames: Int, newest: FrameID?) {
        func id(_ time: Timestamp) -> FrameID { FrameID(firstOf: time.microseconds / 1000) }
        let bounds = filter.bounds.clamped(to: id(span.lowerBound)..<id(span.upperBound))
        guard !bounds.isEmpty else { return (0, nil) }
        return try catalog.connection.read(asked: true) { database in
            let row = try SQLRequest<Row>(literal: filter.count(in: bounds)).fetchOne(database)
            guard let row = row.map({ CheckedRow($0) }) else { return (0, nil) }
            let frames = try row.int("frames", in: 0...Int.max)
            return (frames, frames == 0 ? nil : try row.id("newest"))
        }
    }
}
