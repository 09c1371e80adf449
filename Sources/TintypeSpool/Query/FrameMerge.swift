// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// The ids of all streams of a plan as one list in order, each id once.
struct FrameMerge {
    private var readers: [FrameReader] = []
    /// The readers that are not at their end, by their next ids; the last is the first of all.
    private var heads: [(id: String, reader: Int)] = []
    private let order: FrameOrder
    private var last: String?

    /// Begins behind `cursor`; some `limit` ids are wanted.
    init(
        _ plan: FramePlan,
        _ order: FrameOrder,
        behind cursor: FrameID?,
        limit: Int,
        _ database: Database
    ) throws {
        self.order = order
        let bounds = FrameBounds.of(plan.moments, behind: cursor, order)
        guard !bounds.isEmpty else { return }
        let filter = plan.filter.sql
        // One statement for all streams of a kind. They are not kept: their texts are as many as there are filters.
        var statements: [String: Statement] = [:]
        let first = max(2, min(limit, 2 * limit / max(1, plan.parts.count)))
        for part in plan.parts {
            let check = part.isChecked ? filter : nil
            let sql = part.stream.sql(order, checking: check)
            let statement = try statements[sql] ?? database.makeStatement(sql: sql)
            statements[sql] = statement
            var reader = FrameReader(
                part,
                order,
                filter: check,
                statement: statement,
                bounds: bounds,
                // A sorted table is gone through as a whole for each part that is read.
                first: part.stream.isSorted ? limit : first,
                most: limit
            )
            if let id = try reader.next() {
                heads.append((id, readers.count))
                readers.append(reader)
            }
        }
        heads = heads.sorted { isBefore($1.id, $0.id) }
    }

    /// The next id; nil at the end.
    mutating func next() throws -> String? {
        while let (id, index) = heads.popLast() {
            if let next = try readers[index].next() { insert(next, index) }
            // Two tags of one frame are in two streams.
            guard id != last else { continue }
            last = id
            return id
        }
        return nil
    }

    /// Whether `id` comes before `other` in the list.
    private func isBefore(_ id: String, _ other: String) -> Bool { order == .newest ? id > other : id < other }

    /// Puts a reader where its next id belongs.
    private mutating func insert(_ id: String, _ reader: Int) {
        var (low, high) = (0, heads.count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(id, heads[middle].id) { low = middle + 1 } else { high = middle }
        }
        heads.insert((id, reader), at: low)
    }
}
