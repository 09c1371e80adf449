// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

extension FrameFilter {
    /// The filter as a condition on the columns of `frame`, which is 0 or 1 and never NULL.
    ///
    /// ``FrameCondition/since(_:)`` must be resolved before.
    var sql: SQLText {
        var sql = SQLText()
        write(to: &sql)
        return sql
    }

    private func write(to sql: inout SQLText) {
        switch self {
        case .all(let filters): Self.write(filters, " AND ", none: 1, to: &sql)
        case .any(let filters): Self.write(filters, " OR ", none: 0, to: &sql)
        case .not(let filter):
            sql.append("NOT ")
            filter.write(to: &sql)
        case .is(let condition):
            sql.append("(")
            condition.write(to: &sql)
            sql.append(")")
        }
    }

    private static func write(
        _ filters: [FrameFilter],
        _ separator: StaticString,
        none: Int,
        to sql: inout SQLText
    ) {
        sql.append("(")
        // As an argument: where a condition can never hold, SQLite finds no way to go through the index that is named.
        if filters.isEmpty { sql.append(argument: none) }
        for (index, filter) in filters.enumerated() {
            if index > 0 { sql.append(separator) }
            filter.write(to: &sql)
        }
        sql.append(")")
    }
}

extension FrameCondition {
    fileprivate func write(to sql: inout SQLText) {
        switch self {
        case .camera(let name):
            sql.append(name.isPattern ? "camera GLOB " : "camera = ")
            sql.append(argument: name.isPattern ? name.glob : name)
        case .tag(let tag): Self.write(tag: tag, to: &sql)
        case .verdict(let verdict): Self.write("verdict IS ", verdict.rawValue, to: &sql)
        case .settled(let isSettled): Self.write("settled IS ", isSettled ? 1 : 0, to: &sql)
        case .pinned(let isPinned): Self.write("pinned = ", isPinned ? 1 : 0, to: &sql)
        case .lost(let isLost): Self.write("isLost = ", isLost ? 1 : 0, to: &sql)
        case .id(let id): Self.write("id = ", id.databaseValue, to: &sql)
        case .source(let source): Self.write("source = ", source.rawValue, to: &sql)
        // A time that an id tells is in every index.
        case .from(let time) where time.isWholeMillisecond:
            Self.write("id >= ", FrameID(firstOf: time).databaseValue, to: &sql)
        case .to(let time) where time.isWholeMillisecond:
            Self.write("id < ", FrameID(firstOf: time).databaseValue, to: &sql)
        case .from(let time): Self.write("capturedAt >= ", time.microseconds, to: &sql)
        case .to(let time): Self.write("capturedAt < ", time.microseconds, to: &sql)
        case .since: sql.append(argument: 0)
        case .measure(let measure, let range):
            switch measure {
            case .bytes: sql.append("bytes")
            case .width: sql.append("width")
            case .height: sql.append("height")
            }
            Self.write(" BETWEEN ", range.lowerBound, to: &sql)
            Self.write(" AND ", range.upperBound, to: &sql)
        }
    }

    private static func write(_ text: StaticString, _ value: some DatabaseValueConvertible, to sql: inout SQLText) {
        sql.append(text)
        sql.append(argument: value)
    }

    private static func write(_ text: StaticString, _ value: String, to sql: inout SQLText) {
        sql.append(text)
        sql.append(argument: value)
    }

    /// In `tags` words have a comma between two; as JSON a pattern cannot reach from one into the next.
    private static func write(tag: String, to sql: inout SQLText) {
        if tag.contains(",") {
            // That is none, and must not fit two tags in a row.
            sql.append(argument: 0)
        } else if tag.isPattern {
            // Most rows are decided by what the pattern begins with, in a twentieth of the time.
            sql.append("ifnull(tags, '') <> ''")
            if !tag.beginning.isEmpty {
                write(" AND instr(',' || tags, ", ",\(tag.beginning)", to: &sql)
                sql.append(")")
            }
            sql.append(#" AND EXISTS (SELECT 1 FROM json_each('["' || replace(tags, ',', '","') || '"]')"#)
            write(" WHERE json_each.value GLOB ", tag.glob, to: &sql)
            sql.append(")")
        } else {
            write("instr(',' || ifnull(tags, '') || ',', ", ",\(tag),", to: &sql)
            sql.append(") > 0")
        }
    }
}

extension String {
    /// Whether it stands for several names.
    var isPattern: Bool { contains { $0 == "*" || $0 == "?" } }

    /// As a pattern of SQL, where a bracket means something too.
    var glob: String { replacing("[", with: "[[]") }
}

extension String {
    /// The text before the first wildcard of a pattern.
    var beginning: String { String(prefix { $0 != "*" && $0 != "?" }) }
}
