// SPDX-License-Identifier: Apache-2.0
internal import GRDB

/// Reads rows of `frame` of which nobody knows whether they are sound.
struct SoundRows {
    /// The columns that may be NULL.
    private static let optional: Set<String> = [
        "uncertaintyNs", "settled", "verdict", "faults", "appearance", "tags", "average", "gapNs",
    ]

    private let rows: RowCursor
    private var required: [Int]?

    /// The rows of a query for all columns.
    init(_ database: Database, _ sql: String, _ arguments: StatementArguments) throws {
        rows = try Row.fetchCursor(database, sql: sql, arguments: arguments)
    }

    /// What is read of the next row; nil at the end.
    ///
    /// A failure of one row is what it has and nobody wrote; the ones behind it can be read then. What is thrown is a
    /// failure of the catalog.
    mutating func next() throws -> Result<FrameRow, any Error>? {
        guard let row = try rows.next() else { return nil }
        let required =
            self.required ?? row.columnNames.enumerated().filter { !Self.optional.contains($0.element) }.map(\.offset)
        self.required = required
        // To read NULL as a text or a number would trap.
        guard let null = required.first(where: { row.hasNull(atIndex: $0) }) else {
            return Result { try FrameRow(row: row) }
        }
        let name = Array(row.columnNames)[null]
        return .failure(DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a row has nothing in \(name)"))
    }
}
