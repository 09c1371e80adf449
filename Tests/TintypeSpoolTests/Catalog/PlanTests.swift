// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// How SQLite goes about each list: it may not sort, nor read a table from end to end.
@Suite struct PlanTests {
    private func catalog() throws -> CatalogFile {
        var rows: [FrameRow] = []
        for number in 0..<400 {
            rows.append(
                FrameRow(
                    number,
                    camera: ["door", "yard"][number % 2],
                    bytes: 90_000 + number * 100,
                    verdict: number == 13 ? .damaged : .intact,
                    tags: number % 50 == 0 ? ["alarm", "rare"] : number % 4 == 0 ? ["often"] : nil,
                    source: number % 9 == 0 ? .request : .publish,
                    isPinned: number == 20
                )
            )
        }
        return try CatalogFile(rows)
    }

    private static let byClass =
        "SEARCH frame USING COVERING INDEX frame_class (camera=? AND verdict=? AND settled=? AND source=? AND pinned=? "
        + "AND isLost=? AND scale=? AND id>? AND id<?)"
    private static let byID = "SEARCH frame USING PRIMARY KEY (id>? AND id<?)"
    private static let byTag = "SEARCH frameTag USING PRIMARY KEY (tag=? AND camera=? AND frame>? AND frame<?)"
    private static let toFrame = "SEARCH frame USING PRIMARY KEY (id=?)"

    /// The plans of all statements of a filter, each once.
    private func plans(_ text: String, _ catalog: Catalog, _ order: FrameOrder) throws -> Set<[String]> {
        try catalog.read { database in
            let plan = try FramePlan(FrameFilter(parsing: text).resolved(at: .now()), database)
            return try Set(
                plan.parts.map { part in
                    let filter = part.isChecked ? plan.filter.sql : nil
                    let rows = try Row.fetchAll(
                        database,
                        sql: "EXPLAIN QUERY PLAN " + part.stream.sql(order, checking: filter),
                        arguments: part.stream.arguments(from: "0", to: "g", filter: filter, limit: 10)
                    )
                    return rows.map { $0["detail"] as String }
                }
            )
        }
    }

    @Test(
        arguments: [
            ("", [[byID]]), ("on:2026-11-21", [[byID]]), ("since:7d", [[byID]]), ("not from:2026-11-21", [[byID]]),
            ("camera:door", [[byClass]]), ("camera:d*", [[byClass]]), ("not camera:yard", [[byClass]]),
            ("camera:door, on:2026-11-21", [[byClass]]), ("verdict:damaged", [[byClass]]), ("pinned", [[byClass]]),
            ("source:request, camera:yard", [[byClass]]), ("bytes>100k", [[byClass]]),
            ("any(pinned, bytes>1M)", [[byClass]]),
            ("not verdict:intact", [[byClass]]), ("tag:alarm", [[byTag]]), ("tag:often", [[byTag]]),
            ("tag:rare, since:365d", [[byTag, toFrame]]), ("tag:alarm, verdict:damaged", [[byClass]]),
            ("any(tag:alarm, pinned)", [[byTag], [byTag, toFrame], [byClass]]),
            ("any(tag:alarm, not camera:yard)", [[byTag], [byClass]]),
            ("not tag:alarm", [[byClass]]), ("lost", []), ("camera:nowhere", []), ("width>4000", []),
        ] as [(String, Set<[String]>)]
    )
    func `a list is read from an index in its order`(_ text: String, _ expected: Set<[String]>) throws {
        let file = try catalog()
        for order in FrameOrder.allCases { #expect(try plans(text, file.catalog, order) == expected) }
    }

    @Test func `a pattern of tags looks at the tags of a row only`() throws {
        let file = try catalog()
        let plan = try #require(try plans("tag:of*, camera:yard", file.catalog, .newest).first)
        #expect(
            plan.allSatisfy {
                [Self.byClass, Self.byTag, Self.toFrame].contains($0)
                    || $0.hasSuffix("json_each VIRTUAL TABLE INDEX 1:") || $0.hasPrefix("CORRELATED")
            },
            "\(plan)"
        )
    }

    @Test(arguments: [
        ("SELECT 1 FROM frame WHERE path = ? UNION ALL SELECT 1 FROM tombstone WHERE path = ?", 2),
        ("SELECT frame.* FROM tombstone CROSS JOIN frame ON frame.path = tombstone.path LIMIT ?", 1),
        ("DELETE FROM tombstone WHERE deletedAt < ?", 1),
        ("UPDATE frame SET isLost = ? WHERE path = ? AND isLost <> ?", 3),
        ("SELECT count(*) FROM (SELECT 1 FROM frameTag WHERE tag = ? AND camera = ? LIMIT ?)", 3),
        ("SELECT count(*) FROM (SELECT 1 FROM frameTag WHERE tag >= ? AND tag < ? LIMIT ?)", 3),
        ("SELECT tag FROM frameTag WHERE tag >= ? ORDER BY tag LIMIT 1", 1), ("SELECT * FROM frame WHERE id = ?", 1),
        (Catalog.totalsOfClasses, 0),
    ])
    func `nothing else reads all frames or sorts`(_ sql: String, _ arguments: Int) throws {
        let file = try catalog()
        let details = try file.catalog.read { database in
            try Row.fetchAll(
                database,
                sql: "EXPLAIN QUERY PLAN " + sql,
                arguments: StatementArguments(Array(repeating: 1, count: arguments))
            ).map { $0["detail"] as String }
        }
        #expect(!details.isEmpty)
        // Classes and tombstones are few; a subquery is read as it comes.
        let scans = details.filter { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE") }
        let small = ["SCAN frameClass", "SCAN tombstone", "SCAN (subquery"]
        #expect(scans.allSatisfy { scan in small.contains { scan.hasPrefix($0) } }, "\(details)")
    }

    @Test(arguments: FrameOrder.allCases, [true, false])
    func `pictures in the order in which they came are read from an index in that order`(
        _ order: FrameOrder,
        isFirst: Bool
    ) throws {
        let file = try catalog()
        let count = isFirst ? 4 : 6
        let details = try file.catalog.read { database in
            try Row.fetchAll(
                database,
                sql: "EXPLAIN QUERY PLAN " + Catalog.sqlOfPlaces(order, isFirst: isFirst),
                arguments: StatementArguments(Array(repeating: 1, count: count))
            ).map { $0["detail"] as String }
        }
        let bound = isFirst ? "" : " AND (number,id)\(order == .oldest ? ">" : "<")(?,?)"
        let index = "SEARCH frame USING COVERING INDEX frame_number (camera=? AND isLost=? AND pinned=?\(bound))"
        #expect(details == [index])
    }
}
