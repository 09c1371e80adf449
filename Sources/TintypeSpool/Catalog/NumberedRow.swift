// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// A row with its place in the order in which pictures came into the spool.
struct NumberedRow: Hashable, Sendable {
    var row: FrameRow
    /// Grows with each picture that is stored, independently of the clock: the wall clock in microseconds since 1970, or one
    /// more than the greatest number there is where the clock is behind that.
    ///
    /// So pictures that were found without a row have their place too, by the time of their capture.
    var number: Int64

    /// The numbers that rows can have: never so great that there is no next one.
    static let numbers: ClosedRange<Int64> = 0...Int64.max / 2

    /// The number of a picture of which only the time of its capture is known.
    static func number(at time: Timestamp) -> Int64 { min(max(0, time.microseconds), CheckedRow.moments.upperBound) }
}

extension NumberedRow: FetchableRecord, PersistableRecord {
    static let databaseTableName = FrameRow.databaseTableName

    /// Reads a row as ``FrameRow`` does.
    init(row: Row) throws {
        self.init(row: try FrameRow(row: row), number: try CheckedRow(row).integer("number", in: Self.numbers))
    }

    func encode(to container: inout PersistenceContainer) {
        row.encode(to: &container)
        container["number"] = number
    }
}
