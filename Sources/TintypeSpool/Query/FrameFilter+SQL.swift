// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

extension FrameFilter {
    /// The statement of a list: the ids within `bounds` of frames that meet ``narrowest``, in order, and whether each fits.
    ///
    /// The rest of the filter leaves none out, so that a search can end behind any of them, however few fit.
    /// ``FrameCondition/since(_:)`` must be resolved before.
    func list(_ order: FrameOrder, in bounds: Range<FrameID>) -> SQLText {
        let end: SQLText = order == .newest ? "ORDER BY id DESC" : "ORDER BY id"
        let rest: SQLText =
            "AND id >= \(bounds.lowerBound.databaseValue) AND id < \(bounds.upperBound.databaseValue) \(end)"
        if case .tag(let tag) = narrowest {
            return """
                SELECT id, (SELECT \(sql) FROM frame WHERE frame.id = frameTag.id) FROM frameTag WHERE tag = \(tag) \(rest)
                """
        }
        return "SELECT id, \(sql) FROM frame WHERE \(narrowest?.sql ?? "1") \(rest)"
    }

    /// The filter as a condition on the columns of `frame`, which is 0 or 1 and never NULL.
    ///
    /// ``FrameCondition/since(_:)`` must be resolved before.
    var sql: SQLText {
        switch self {
        case .all(let filters): Self.sql("1", " AND ", filters)
        case .any(let filters): Self.sql("0", " OR ", filters)
        case .not(let filter): "NOT \(filter.sql)"
        case .is(let condition): "(\(condition.sql))"
        }
    }

    private static func sql(_ none: SQLText, _ separator: SQLText, _ filters: [FrameFilter]) -> SQLText {
        var list = none
        for filter in filters {
            list.appendInterpolation(separator)
            list.appendInterpolation(filter.sql)
        }
        return "(\(list))"
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
        necessary.filter { $0.rarity > 0 }.max { $0.rarity < $1.rarity }
    }

    /// Between which ids those are of frames that fit, as far as the ``necessary`` conditions tell.
    var bounds: Range<FrameID> { necessary.reduce(Self.ids) { $0.clamped(to: $1.bounds) } }

    /// Between which ids all frames are.
    static let ids = FrameID(firstOf: 0)..<FrameID(firstOf: .max)
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

    /// Between which ids those are of frames that meet it, as far as it is about the id or a time.
    fileprivate var bounds: Range<FrameID> {
        let all = FrameFilter.ids
        return switch self {
        case .from(let time): FrameID(firstOf: time.microseconds / 1000)..<all.upperBound
        // Frames of before 1970 are in the first millisecond.
        case .to(let time): all.lowerBound..<FrameID(firstOf: max(0, time.microseconds / 1000) + 1)
        case .id(let id): id..<id.next
        default: all
        }
    }

    fileprivate var sql: SQLText {
        switch self {
        case .camera(let name): name.isPattern ? "camera GLOB \(name.glob)" : "camera = \(name)"
        // Words with a comma between two; as JSON a pattern cannot reach from one into the next. Most rows are decided by
        // what the pattern begins with, in a twentieth of the time.
        case .tag(let tag) where tag.isPattern:
            """
            instr(',' || ifnull(tags, ''), \(",\(tag.beginning)")) AND EXISTS (SELECT 1 FROM \
            json_each('["' || replace(nullif(tags, ''), ',', '","') || '"]') WHERE json_each.value GLOB \(tag.glob))
            """
        case .tag(let tag): "instr(',' || ifnull(tags, '') || ',', \(",\(tag),")) > 0"
        case .verdict(let verdict): "verdict IS \(verdict.rawValue)"
        case .settled(let isSettled): "settled IS \(isSettled)"
        // Without arguments: SQLite compares them with the conditions of the indexes.
        case .pinned(let isPinned): isPinned ? "pinned = 1" : "pinned = 0"
        case .lost(let isLost): isLost ? "isLost = 1" : "isLost = 0"
        case .id(let id): "id = \(id.databaseValue)"
        case .source(let source): "source = \(source.rawValue)"
        case .from(let time): "capturedAt >= \(time.microseconds)"
        case .to(let time): "capturedAt < \(time.microseconds)"
        case .since: "0"
        case .measure(.bytes, let range): "bytes BETWEEN \(range.lowerBound) AND \(range.upperBound)"
        case .measure(.width, let range): "width BETWEEN \(range.lowerBound) AND \(range.upperBound)"
        case .measure(.height, let range): "height BETWEEN \(range.lowerBound) AND \(range.upperBound)"
        }
    }
}

extension String {
    /// Whether it stands for several names.
    var isPattern: Bool { contains { $0 == "*" || $0 == "?" } }

    /// The text before the first wildcard of a pattern.
    fileprivate var beginning: String { String(prefix { $0 != "*" && $0 != "?" }) }

    /// As a pattern of SQL, where a bracket means something too.
    fileprivate var glob: String { replacing("[", with: "[[]") }
}

/// SQL with its arguments: what stands in the source code is the text, and each value that is interpolated an argument.
///
/// There is no way to put a value into the text, so no value can be taken for SQL.
struct SQLText: ExpressibleByStringInterpolation, StringInterpolationProtocol {
    private(set) var text = ""
    private(set) var arguments: [DatabaseValue] = []

    init(literalCapacity: Int, interpolationCount: Int) {}

    init(stringLiteral text: StaticString) { self.text = text.description }

    init(stringInterpolation: SQLText) { self = stringInterpolation }

    mutating func appendLiteral(_ literal: StaticString) { text += literal.description }

    mutating func appendInterpolation(_ value: some DatabaseValueConvertible) {
        text += "?"
        arguments.append(value.databaseValue)
    }

    /// The same for a text: a zero in it, at which SQLite would end it, becomes U+FFFD, which is in no name.
    mutating func appendInterpolation(_ value: String) {
        text += "?"
        arguments.append(value.replacing("\0", with: "\u{FFFD}").databaseValue)
    }

    mutating func appendInterpolation(_ part: SQLText) {
        text += part.text
        arguments += part.arguments
    }
}
