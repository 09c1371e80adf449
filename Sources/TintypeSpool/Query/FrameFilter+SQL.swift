// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

extension FrameFilter {
    /// The filter as a condition on a row of `frame`, which is 0 or 1 and never NULL.
    ///
    /// ``FrameCondition/since(_:)`` must be resolved before.
    var sql: SQLText {
        var sql = SQLText()
        write(to: &sql)
        return sql
    }

    private func write(to sql: inout SQLText) {
        switch self {
        case .all(let filters): Self.write(filters, " AND ", none: "1", to: &sql)
        case .any(let filters): Self.write(filters, " OR ", none: "0", to: &sql)
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
        none: StaticString,
        to sql: inout SQLText
    ) {
        sql.append("(")
        if filters.isEmpty { sql.append(none) }
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
            sql.append(name.isPattern ? "frame.camera GLOB " : "frame.camera = ")
            sql.append(argument: name.isPattern ? name.glob : name)
        case .tag(let tag): Self.write(tag: tag, to: &sql)
        case .verdict(let verdict): Self.write("frame.verdict IS ", verdict.rawValue, to: &sql)
        case .settled(let isSettled): Self.write("frame.settled IS ", isSettled ? 1 : 0, to: &sql)
        case .pinned(let isPinned): Self.write("frame.pinned = ", isPinned ? 1 : 0, to: &sql)
        case .lost(let isLost): Self.write("frame.isLost = ", isLost ? 1 : 0, to: &sql)
        case .id(let id): Self.write("frame.id = ", id.description, to: &sql)
        case .source(let source): Self.write("frame.source = ", source.rawValue, to: &sql)
        case .from(let time): Self.write("frame.capturedAt >= ", time.microseconds, to: &sql)
        case .to(let time): Self.write("frame.capturedAt < ", time.microseconds, to: &sql)
        case .since: sql.append("0")
        case .measure(let measure, let range):
            switch measure {
            case .bytes: sql.append("frame.bytes")
            case .width: sql.append("frame.width")
            case .height: sql.append("frame.height")
            }
            Self.write(" BETWEEN ", range.lowerBound, to: &sql)
            Self.write(" AND ", range.upperBound, to: &sql)
        }
    }

    private static func write(_ text: StaticString, _ value: some DatabaseValueConvertible, to sql: inout SQLText) {
        sql.append(text)
        sql.append(argument: value)
    }

    /// In `tags` words have a comma between two; as JSON a pattern cannot reach from one into the next.
    private static func write(tag: String, to sql: inout SQLText) {
        if tag.contains(",") {
            // That is none, and must not fit two tags in a row.
            sql.append("0")
        } else if tag.isPattern {
            // Most rows are decided by what the pattern begins with, in a twentieth of the time.
            sql.append("ifnull(frame.tags, '') <> ''")
            if !tag.beginning.isEmpty {
                write(" AND instr(',' || frame.tags, ", ",\(tag.beginning)", to: &sql)
                sql.append(")")
            }
            sql.append(#" AND EXISTS (SELECT 1 FROM json_each('["' || replace(frame.tags, ',', '","') || '"]')"#)
            write(" WHERE json_each.value GLOB ", tag.glob, to: &sql)
            sql.append(")")
        } else {
            write("instr(',' || ifnull(frame.tags, '') || ',', ", ",\(tag),", to: &sql)
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
