// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Catalogs whose integers another program has set to any value.
@Suite struct ExtremeNumberTests {
    private static let extremes: [Int64] = [
        .min, .min + 1, -1, 0, 1, Int64(Int32.max) + 1, Int64(UInt32.max), .max / 2, .max - 1, .max,
    ]

    /// Calls `read` with the first row of a table for each integer column and extreme, with that value in it; returns
    /// the names of these columns.
    private func forEachExtreme(
        of table: String,
        in file: CatalogFile,
        _ read: (Row) throws -> Void
    ) throws -> [String] {
        let (columns, values) = try file.catalog.connection.read { database in
            let sql = "SELECT name FROM pragma_table_info(?) WHERE type = 'INTEGER'"
            let row = try #require(try Row.fetchOne(database, sql: "SELECT * FROM \(table)"))
            return (try String.fetchAll(database, sql: sql, arguments: [table]), row.map { ($0, $1) })
        }
        for column in columns {
            for extreme in Self.extremes {
                var changed: [String: (any DatabaseValueConvertible)?] = [:]
                for (name, value) in values { changed[name] = name == column ? extreme.databaseValue : value }
                try read(Row(changed))
            }
        }
        return columns
    }

    @Test func `a row with any integer is an error, or a record that can be sent`() throws {
        let file = try CatalogFile([FrameRow(1, settled: true, tags: ["a"])])
        var sent = 0
        let columns = try forEachExtreme(of: "frame", in: file) { row in
            let numbered: FrameRow
            do {
                numbered = try FrameRow(row: row)
            } catch {
                #expect((error as? DatabaseError)?.resultCode == .SQLITE_CORRUPT)
                return
            }
            let record = numbered.frameRecord(in: "/spool", named: "default")
            if try !WireFormat.encode(record).isEmpty { sent += 1 }
        }
        #expect(Set(columns).isSuperset(of: ["bytes", "capturedAt", "gapNs", "number", "storedMonotonicNs"]))
        #expect(sent > columns.count)
    }

    @Test func `a tombstone with any time is an error, or can be compared`() throws {
        let file = try CatalogFile([FrameRow(1)])
        try file.catalog.tombstones.add(over: [FrameRow(1)], at: .now())
        let columns = try forEachExtreme(of: "tombstone", in: file) { row in
            guard let tombstone = try? Tombstone(row: row) else { return }
            #expect(CheckedRow.moments.contains(tombstone.deletedAt.microseconds))
            #expect(tombstone.deletedAt - noon == .zero - (noon - tombstone.deletedAt))
        }
        #expect(columns == ["deletedAt"])
    }
}
