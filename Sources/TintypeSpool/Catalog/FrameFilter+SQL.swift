// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

extension FrameFilter {
    /// SQL for a list: ids in `bounds` that meet ``narrowest``, in order, each with a flag that is 1 if the frame
    /// matches.
    ///
    /// The rest of the filter excludes no rows, so that a search can stop after any row, however few match.
    /// ``FrameCondition/since(_:)`` must be resolved first. If `skipsWaiting`, frames that wait for an upload do not
    /// match.
    func list(_ order: FrameOrder, in bounds: Range<FrameID>, skipsWaiting: Bool = false) -> SQL {
        let direction: SQL = order == .newest ? "DESC" : "ASC"
        let rest: SQL = "AND \(literal: Self.ids(in: bounds)) ORDER BY id \(literal: direction)"
        let delivered: SQL = """
            NOT EXISTS (SELECT 1 FROM delivery WHERE delivery.frame = frame.id AND delivery.state = 'pending')
            """
        let fits: SQL = skipsWaiting ? "\(literal: sql) AND \(literal: delivered)" : sql
        if case .tag(let tag) = narrowest {
            return """
                SELECT id, (SELECT \(literal: fits) FROM frame WHERE frame.id = frameTag.id) FROM frameTag \
                WHERE tag = \(tag.bound) \(literal: rest)
                """
        }
        let condition: SQL = narrowest?.sql ?? "1"
        return "SELECT id, \(literal: fits) FROM frame WHERE \(literal: condition) \(literal: rest)"
    }

    /// SQL for the number of matching frames with ids in `bounds`, and the greatest id.
    func count(in bounds: Range<FrameID>) -> SQL {
        let rest = Self.ids(in: bounds)
        let counted: SQL = "SELECT count(*) AS frames, max(id) AS newest FROM"
        if case .tag(let tag) = narrowest {
            // Films and clips are few: no row of a still is read.
            let stills: SQL = """
                AND id NOT IN (SELECT id FROM frame INDEXED BY frame_kind WHERE kind IN ('film', 'clip') AND \
                \(literal: rest))
                """
            let all: SQL = "AND (SELECT \(literal: sql) FROM frame WHERE frame.id = frameTag.id)"
            let others = isTag ? necessary.contains(.kind(.still)) ? stills : "" : all
            return "\(literal: counted) frameTag WHERE tag = \(tag.bound) AND \(literal: rest) \(literal: others)"
        }
        if let narrowest {
            return "\(literal: counted) frame WHERE \(literal: narrowest.sql) AND \(literal: rest) AND \(literal: sql)"
        }
        guard isIndexed else { return "\(literal: counted) frame WHERE \(literal: rest) AND \(literal: sql)" }
        // The rows themselves have five times the bytes of the index, which is by camera first.
        return """
            \(sql: ArrivalOrder.presentCameras) \(literal: counted) present CROSS JOIN frame INDEXED BY frame_camera \
            WHERE camera = cameraName AND \(literal: rest) AND \(literal: sql)
            """
    }

    private static func ids(in bounds: Range<FrameID>) -> SQL {
        "id >= \(bounds.lowerBound.databaseValue) AND id < \(bounds.upperBound.databaseValue)"
    }

    /// Expression on the columns of `frame`, 0 or 1, never NULL; ``FrameCondition/since(_:)`` must be resolved first.
    var sql: SQL {
        switch self {
        case .all(let filters): Self.sql("1", " AND ", filters)
        case .any(let filters): Self.sql("0", " OR ", filters)
        case .not(let filter): "NOT \(literal: filter.sql)"
        case .is(let condition): "(\(literal: condition.sql))"
        }
    }

    private static func sql(_ none: SQL, _ separator: String, _ filters: [FrameFilter]) -> SQL {
        let list: [SQL] = [none] + filters.map(\.sql)
        return "(\(literal: list.joined(separator: separator)))"
    }

    /// Conditions that each matching frame must meet.
    private var necessary: [FrameCondition] {
        switch self {
        case .all(let filters): filters.flatMap(\.necessary)
        case .any(let filters): filters.count == 1 ? filters[0].necessary : []
        case .not: []
        case .is(let condition): [condition]
        }
    }

    /// The most selective of the ``necessary`` conditions that have an index; nil if none has.
    private var narrowest: FrameCondition? { necessary.filter { $0.rarity > 0 }.max { $0.rarity < $1.rarity } }

    /// True for a single tag, whose frames are exactly those of `frameTag`, and perhaps the condition `kind:still`.
    private var isTag: Bool {
        switch self {
        case .all(let filters):
            filters.count(where: \.isTag) == 1 && filters.allSatisfy { $0.isTag || $0 == .is(.kind(.still)) }
        case .any(let filters): filters.count == 1 && filters[0].isTag
        case .not: false
        case .is(.tag): true
        case .is: false
        }
    }

    /// True if the index `frame_camera` has all columns of the filter.
    private var isIndexed: Bool {
        switch self {
        case .all(let filters), .any(let filters): filters.allSatisfy(\.isIndexed)
        case .not(let filter): filter.isIndexed
        case .is(.camera), .is(.verdict), .is(.pinned), .is(.lost), .is(.id), .is(.kind), .is(.measure(.bytes, _)): true
        case .is: false
        }
    }

    /// Range of ids that can match, from the ``necessary`` conditions.
    var bounds: Range<FrameID> { necessary.reduce(Self.ids) { $0.clamped(to: $1.bounds) } }

    static let ids = FrameID(firstOf: 0)..<FrameID(firstOf: .max)
}

extension FrameCondition {
    /// Estimated selectivity by kind of condition; 0 for conditions without an index.
    fileprivate var rarity: Int {
        switch self {
        case .lost(true): 4
        case .pinned(true), .kind(.film), .kind(.clip): 3
        case .tag(let tag) where !tag.isPattern: 2
        case .camera(let name) where !name.isPattern: 1
        default: 0
        }
    }

    /// Range of ids that can match, if the condition concerns the id or a time.
    fileprivate var bounds: Range<FrameID> {
        let all = FrameFilter.ids
        return switch self {
        case .from(let time): FrameID(firstOf: time.microseconds / 1000)..<all.upperBound
        // Ids of frames from before 1970 are in the first millisecond.
        case .to(let time): all.lowerBound..<FrameID(firstOf: max(0, time.microseconds / 1000) + 1)
        case .id(let id): id..<id.next
        default: all
        }
    }

    fileprivate var sql: SQL {
        switch self {
        case .camera(let name): name.isPattern ? "camera GLOB \(name.glob.bound)" : "camera = \(name.bound)"
        // Tags are comma-separated; JSON keeps a pattern from matching across two words. The literal prefix of the
        // pattern rejects most rows, in a twentieth of the time.
        case .tag(let tag) where tag.isPattern:
            """
            instr(',' || ifnull(tags, ''), \(",\(tag.beginning)".bound)) AND EXISTS (SELECT 1 FROM \
            json_each('["' || replace(nullif(tags, ''), ',', '","') || '"]') \
            WHERE json_each.value GLOB \(tag.glob.bound))
            """
        case .tag(let tag): "instr(',' || ifnull(tags, '') || ',', \(",\(tag),".bound)) > 0"
        case .verdict(let verdict): "verdict IS \(verdict.rawValue)"
        case .settled(let isSettled): "settled IS \(isSettled)"
        // Literals, not arguments: SQLite compares them with the conditions of partial indexes.
        case .pinned(let isPinned): isPinned ? "pinned = 1" : "pinned = 0"
        case .lost(let isLost): isLost ? "isLost = 1" : "isLost = 0"
        case .id(let id): "id = \(id.databaseValue)"
        // Never NULL, and an implication of the condition of `frame_kind`.
        case .kind(let kind): kind == .still ? "kind IS NULL" : "kind IS NOT NULL AND kind = \(kind.rawValue)"
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
    var isPattern: Bool { contains { $0 == "*" || $0 == "?" } }

    fileprivate var beginning: String { String(prefix { $0 != "*" && $0 != "?" }) }

    /// Escapes `[`, which is special in GLOB of SQLite.
    fileprivate var glob: String { replacing("[", with: "[[]") }

    /// As an argument; replaces NUL, at which SQLite would end the text, by U+FFFD, which no name contains.
    fileprivate var bound: DatabaseValue { replacing("\0", with: "\u{FFFD}").databaseValue }
}
