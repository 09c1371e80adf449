// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

extension FrameFilter {
    /// The statement of a list: the ids within `bounds` of frames that meet ``narrowest``, in order, and whether each fits.
    ///
    /// The rest of the filter leaves none out, so that a search can end behind any of them, however few fit.
    /// ``FrameCondition/since(_:)`` must be resolved before.
    func list(_ order: FrameOrder, in bounds: Range<FrameID>) -> SQLText {
        var list = SQLText("SELECT id, ")
        if case .tag(let tag) = narrowest {
            list.append("(SELECT ")
            list.append(sql)
            list.append(" FROM frame WHERE frame.id = frameTag.id) FROM frameTag WHERE tag = ")
            list.append(argument: tag)
        } else {
            list.append(sql)
            list.append(" FROM frame WHERE ")
            list.append(FrameFilter.all(narrowest.map { [.is($0)] } ?? []).sql)
        }
        list.append(" AND id >= ")
        list.append(argument: bounds.lowerBound.databaseValue)
        list.append(" AND id < ")
        list.append(argument: bounds.upperBound.databaseValue)
        list.append(order == .newest ? " ORDER BY id DESC" : " ORDER BY id")
        return list
    }

    /// The filter as a condition on the columns of `frame`, which is 0 or 1 and never NULL.
    ///
    /// ``FrameCondition/since(_:)`` must be resolved before.
    var sql: SQLText {
        var sql = SQLText()
        write(to: &sql)
        return sql
    }

    /// Conditions that every frame which fits has to meet.
    private var necessary: [FrameCondition] {
        switch self {
        case .all(let filters): filters.flatMap(\.necessary)
        case .any(let filters): filters.count == 1 ? filters[0].necessary : []
        case .not: []
        case .is(let condition): [condition]
        }
    }

    /// The condition of the rarest kind among the ``necessary`` ones that have an index; nil where none has.
    private var narrowest: FrameCondition? {
        necessary.max { $0.rarity < $1.rarity }.flatMap { $0.rarity > 0 ? $0 : nil }
    }

    /// Between which ids those are of frames that fit, as far as its times tell.
    var bounds: Range<FrameID> {
        switch self {
        case .all(let filters): return filters.reduce(Self.ids) { $0.clamped(to: $1.bounds) }
        case .any(let filters):
            let all = filters.map(\.bounds).filter { !$0.isEmpty }
            guard let low = all.map(\.lowerBound).min(), let high = all.map(\.upperBound).max() else {
                return Self.ids.lowerBound..<Self.ids.lowerBound
            }
            return low..<high
        case .not: return Self.ids
        case .is(.from(let time)): return FrameID(firstOf: time)..<Self.ids.upperBound
        // Frames of before 1970 are in the first millisecond.
        case .is(.to(let time)): return Self.ids.lowerBound..<FrameID(firstOf: max(0, time.microseconds / 1000) + 1)
        case .is(.id(let id)): return id..<id.next
        case .is: return Self.ids
        }
    }

    /// Between which ids all frames are.
    static let ids = FrameID(firstOf: 0)..<FrameID(firstOf: .max)

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
    /// How few frames meet it, as its kind tells, among those that have an index; 0 for any that has none.
    fileprivate var rarity: Int {
        switch self {
        case .lost(true): 4
        case .pinned(true): 3
        case .tag(let tag) where !tag.isPattern: 2
        case .camera(let name) where !name.isPattern: 1
        default: 0
        }
    }

    fileprivate func write(to sql: inout SQLText) {
        switch self {
        case .camera(let name):
            sql.append(name.isPattern ? "camera GLOB " : "camera = ")
            sql.append(argument: name.isPattern ? name.glob : name)
        case .tag(let tag): Self.write(tag: tag, to: &sql)
        case .verdict(let verdict): Self.write("verdict IS ", verdict.rawValue, to: &sql)
        case .settled(let isSettled): Self.write("settled IS ", isSettled ? 1 : 0, to: &sql)
        // Without arguments: SQLite compares them with the conditions of the indexes.
        case .pinned(let isPinned): sql.append(isPinned ? "pinned = 1" : "pinned = 0")
        case .lost(let isLost): sql.append(isLost ? "isLost = 1" : "isLost = 0")
        case .id(let id): Self.write("id = ", id.databaseValue, to: &sql)
        case .source(let source): Self.write("source = ", source.rawValue, to: &sql)
        // A time that an id tells is in every index.
        case .from(let time) where time.isWholeMillisecond:
            Self.write("id >= ", FrameID(firstOf: time).databaseValue, to: &sql)
        case .to(let time) where time.isWholeMillisecond:
            Self.write("id < ", FrameID(firstOf: time).databaseValue, to: &sql)
        case .from(let time): Self.write("capturedAt >= ", time.microseconds, to: &sql)
        case .to(let time): Self.write("capturedAt < ", time.microseconds, to: &sql)
        case .since: sql.append("0")
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
            sql.append("0")
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

extension FrameID {
    /// The first that an id of the millisecond of that time can be.
    fileprivate init(firstOf time: Timestamp) { self.init(firstOf: time.microseconds / 1000) }
}

extension Timestamp {
    /// Whether an id tells if a frame is of before it: ids have milliseconds, and those of before 1970 have the first.
    fileprivate var isWholeMillisecond: Bool { microseconds > 0 && microseconds % 1000 == 0 }
}
