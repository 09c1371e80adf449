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

    private static let byID = "SEARCH frame USING PRIMARY KEY (id>? AND id<?)"
    private static let byCamera = "SEARCH frame USING COVERING INDEX frame_camera (camera=? AND id>? AND id<?)"
    private static let byPin = "SEARCH frame USING COVERING INDEX frame_pinned (pinned=? AND id>? AND id<?)"
    private static let byVerdict = "SEARCH frame USING COVERING INDEX frame_verdict (verdict=? AND id>? AND id<?)"
    private static let byFault =
        "SEARCH frame USING COVERING INDEX frame_faulty (camera=? AND verdict=? AND id>? AND id<?)"
    private static let byTagAndCamera =
        "SEARCH frameTag USING COVERING INDEX frameTag_camera (tag=? AND camera=? AND id>? AND id<?)"
    private static let byTagAndVerdict =
        "SEARCH frameTag USING COVERING INDEX frameTag_verdict (tag=? AND verdict=? AND id>? AND id<?)"
    private static let byTag = "SEARCH frameTag USING PRIMARY KEY (tag=? AND id>? AND id<?)"

    /// What a statement does, step by step.
    private func plan(_ sql: String, _ arguments: [DatabaseValue], _ catalog: Catalog) throws -> [String] {
        try catalog.read { database in
            try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + sql, arguments: StatementArguments(arguments))
                .map { $0["detail"] as String }
        }
    }

    /// The plans of both statements of a search: to the end of a step, and of what fits.
    private func plans(_ text: String, _ catalog: Catalog, _ order: FrameOrder) throws -> (
        end: [String], fitting: [String]
    ) {
        let filter = try FrameFilter(parsing: text).resolved(at: .now())
        let index = FrameIndex(for: filter)
        let (entries, check) = (index.entries, index.check(filter))
        let bounds = ["0".databaseValue, "g".databaseValue]
        return (
            try plan(
                FrameSteps.sqlOfEnd(entries, order),
                entries.arguments + bounds + [10.databaseValue],
                catalog
            ),
            try plan(
                FrameSteps.sqlOfFitting(entries, check, order),
                entries.arguments + bounds + check.arguments + [10.databaseValue],
                catalog
            )
        )
    }

    /// Each pair of the usual conditions is decided in one index, without a look at the rows of frames.
    @Test(
        arguments: [
            ("on:2026-11-21", byID), ("since:7d", byID), ("camera:door", byCamera),
            ("camera:door, on:2026-11-21", byCamera), ("camera:door, verdict:damaged", byFault),
            ("camera:door, verdict:intact", byCamera),
            ("camera:door, pinned:no", byCamera), ("any(camera:door), not verdict:intact", byCamera),
            ("verdict:damaged", byVerdict), ("verdict:damaged, from:2026-11-20, to:2026-11-22", byVerdict),
            ("pinned", byPin), ("pinned, camera:door", byPin), ("pinned, verdict:intact", byPin),
            ("pinned, tag:alarm", byPin), ("pinned, since:7d", byPin), ("tag:alarm", byTag),
            ("tag:alarm, camera:door", byTagAndCamera), ("tag:alarm, verdict:damaged", byTagAndVerdict),
            ("tag:alarm, verdict:intact", byTag), ("tag:alarm, camera:door, not verdict:intact", byTagAndCamera),
            ("tag:alarm, since:7d", byTag),
        ]
    )
    func `usual filters are answered from one index in its order`(_ text: String, _ expected: String) throws {
        let file = try catalog()
        for order in FrameOrder.allCases {
            let plans = try plans(text, file.catalog, order)
            #expect(plans.end == [expected] && plans.fitting == [expected], "\(plans)")
        }
    }

    @Test(arguments: [
        "", "not camera:yard", "camera:d*", "bytes>100k", "camera:door, source:request", "lost", "lost, settled:no",
        "any(tag:alarm, pinned)", "tag:rare, bytes>100k", "tag:al*", "tag:al*, camera:yard", "not tag:alarm",
        "verdict:damaged, width<800", "any(pinned, lost, verdict:damaged)",
    ])
    func `no filter sorts, nor reads more than a step of one index`(_ text: String) throws {
        let file = try catalog()
        for order in FrameOrder.allCases {
            let plans = try plans(text, file.catalog, order)
            #expect(plans.end.count == 1 && plans.fitting.first?.hasPrefix("SEARCH frame") == true)
            // One row for each entry, and the tags of that.
            let rest = plans.fitting.dropFirst()
            #expect(
                rest.allSatisfy {
                    $0.hasPrefix("CORRELATED") || $0 == "SEARCH frame USING PRIMARY KEY (id=?)"
                        || $0.hasSuffix("json_each VIRTUAL TABLE INDEX 1:")
                },
                "\(plans)"
            )
            for step in plans.end + plans.fitting { #expect(!step.contains("TEMP B-TREE"), "\(plans)") }
        }
    }

    @Test(arguments: [
        ("SELECT 1 FROM frame WHERE path = ? UNION ALL SELECT 1 FROM tombstone WHERE path = ?", 2),
        ("SELECT frame.* FROM tombstone CROSS JOIN frame ON frame.path = tombstone.path LIMIT ?", 1),
        ("DELETE FROM tombstone WHERE deletedAt < ?", 1),
        ("UPDATE frame SET isLost = ? WHERE path = ? AND isLost <> ?", 3),
        ("SELECT * FROM frame WHERE id = ?", 1),
        (Catalog.totalsOfCameras, 0),
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
        // Cameras and tombstones are few; a subquery is read as it comes.
        let scans = details.filter { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE") }
        let small = ["SCAN cameraTotal", "SCAN tombstone", "SCAN (subquery"]
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
