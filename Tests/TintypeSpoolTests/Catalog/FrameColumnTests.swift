// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

@Suite struct FrameColumnTests {
    @Test func `columns have durations in nanoseconds, flags as 0 or 1, and lists with commas`() throws {
        var row = FrameRow(1, settled: true, tags: ["a", "b"])
        (row.gapMs, row.average) = (Milliseconds(.microseconds(812_345)), 4)
        let file = try CatalogFile([row])
        let sql = "SELECT printf('%d %d %d %s %s', gapNs, settled, average, tags, verdict) FROM frame"
        #expect(try file.catalog.connection.read { try String.fetchOne($0, sql: sql) } == "812345000 1 4 a,b intact")
        #expect(try file.catalog.row(row.id)?.unnumbered == row)
    }

    @Test func `an existing catalog gets the column of a new field and keeps its rows`() throws {
        let column = FrameColumn(try #require(StillRecord.fields.first { $0.name == "focus" }))
        let old = FrameRow(1)
        var still = old.still
        still.focus = 250
        let queue = try DatabaseQueue()
        try CatalogSchema.migrator().migrate(queue)
        try queue.write { try old.insert($0) }
        try CatalogSchema.migrator(columns: FrameColumn.all + [column]).migrate(queue)
        let stored = try queue.write { database in
            try database.execute(sql: "UPDATE frame SET focus = ?", arguments: [column.value(of: still)])
            return try #require(try DatabaseValue.fetchOne(database, sql: "SELECT focus FROM frame"))
        }
        var row = try #require(try queue.read { try FrameRow.fetchOne($0) })
        #expect(row == old)
        let isRead = column.read(stored, into: &row.still)
        #expect(isRead && row.still == still)
    }
}
