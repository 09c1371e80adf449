// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// A search in steps of some thousand entries of one index, so that each takes a few milliseconds whatever fits.
struct FrameSteps {
    private let order: FrameOrder
    private let entries: SQLText
    private let check: SQLText
    /// Finds the last entry of a step.
    private let end: Statement
    /// Finds what fits up to there.
    private let fitting: Statement

    /// Prepares a search for frames that `filter` fits, in which every ``FrameCondition/since(_:)`` is resolved.
    init(_ filter: FrameFilter, _ order: FrameOrder, _ database: Database) throws {
        let index = FrameIndex(for: filter)
        (self.order, entries, check) = (order, index.entries, index.check(filter))
        // Their texts are as many as there are filters: they are not kept.
        end = try database.makeStatement(sql: Self.sqlOfEnd(entries, order))
        fitting = try database.makeStatement(sql: Self.sqlOfFitting(entries, check, order))
    }

    /// The text of the statement that finds the entry so many behind the first, by two bounds and that number.
    static func sqlOfEnd(_ entries: SQLText, _ order: FrameOrder) -> String {
        let direction = order == .newest ? "DESC" : "ASC"
        return "SELECT id \(entries.text) AND id >= ? AND id < ? ORDER BY id \(direction) LIMIT 1 OFFSET ?"
    }

    /// The text of the statement that finds the entries that meet `check`, by two bounds, its arguments and a limit.
    static func sqlOfFitting(_ entries: SQLText, _ check: SQLText, _ order: FrameOrder) -> String {
        let direction = order == .newest ? "DESC" : "ASC"
        return "SELECT id \(entries.text) AND id >= ? AND id < ? AND \(check.text) ORDER BY id \(direction) LIMIT ?"
    }

    /// The ids that fit among the next `count` entries within `bounds`, `limit` at most, and what is left behind these: the
    /// last entry that was looked at, and the bounds of the rest; nil where nothing is.
    func ids(
        in bounds: Range<FrameID>,
        _ count: Int,
        limit: Int
    ) throws -> (ids: [FrameID], rest: (end: FrameID, bounds: Range<FrameID>)?) {
        var last = try Self.ids(end, arguments(bounds) + [(count - 1).databaseValue]).first
        var step = bounds
        if let last { step = order == .newest ? last..<bounds.upperBound : bounds.lowerBound..<last.next }
        let ids = try Self.ids(fitting, arguments(step) + check.arguments + [limit.databaseValue])
        if ids.count == limit { last = ids.last }
        // A damaged index can lead in circles.
        guard last.map(bounds.contains) ?? true, ids.allSatisfy(step.contains) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "an index of frames is not in order")
        }
        guard let last else { return (ids, nil) }
        let rest = order == .newest ? bounds.lowerBound..<last : last.next..<max(last.next, bounds.upperBound)
        return (ids, (last, rest))
    }

    private func arguments(_ bounds: Range<FrameID>) -> [DatabaseValue] {
        entries.arguments + [bounds.lowerBound.databaseValue, bounds.upperBound.databaseValue]
    }

    private static func ids(_ statement: Statement, _ arguments: [DatabaseValue]) throws -> [FrameID] {
        try Row.fetchAll(statement, arguments: StatementArguments(arguments)).map { try CheckedRow($0).id("id") }
    }
}
