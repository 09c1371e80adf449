// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

@Suite struct ListTests {
    /// Reads all pages of a list.
    private func list(
        _ catalog: Catalog,
        _ filter: FrameFilter,
        _ order: FrameOrder,
        pages limit: Int
    ) throws -> [FrameRow] {
        var query = FrameQuery(filter: filter, order: order, limit: limit)
        var rows: [FrameRow] = []
        while true {
            let (page, next, _) = try catalog.lists.page(query)
            rows += page.map(\.unnumbered)
            guard let next else { return rows }
            #expect(page.count == limit)
            query.cursor = FrameCursor(next.description)
            #expect(query.cursor == next)
        }
    }

    /// Fewer seeds in a debug build, which takes ten times as long: 160 filters instead of 640.
    private static let seeds = [UInt64](1...(TestBuild.isOptimized ? 8 : 2))

    @Test(arguments: seeds)
    func `any filter lists its frames in either order, page by page`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let rows = Self.rows(&random)
        let file = try CatalogFile(rows)
        let sorted = rows.sorted { $0.id < $1.id }
        var found = 0
        for _ in 0..<80 {
            let filter = Self.filter(3, &random)
            let expected = sorted.filter(filter.ofStillsUnlessAsked.fits)
            let limit = random.pick(expected.count > 40 ? [30, 100, 1000] : [1, 2, 7])
            // Compared as booleans: a failure message with hundreds of ids would be unreadable.
            let isListed = try list(file.catalog, filter, .oldest, pages: limit).map(\.id) == expected.map(\.id)
            let isListedBackwards =
                try list(file.catalog, filter, .newest, pages: limit).map(\.id) == expected.reversed().map(\.id)
            #expect(isListed && isListedBackwards, "\(filter), pages of \(limit)")
            found += expected.count
        }
        #expect(found > 1000)
    }

    @Test(arguments: seeds)
    func `any filter counts its frames between two times`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let rows = Self.rows(&random)
        let file = try CatalogFile(rows)
        let first = noon.microseconds / 1000
        var found = 0
        for number in 0..<80 {
            // The first filter has the most common plan.
            var filter = number == 0 ? .everything : Self.filter(3, &random)
            if !number.isMultiple(of: 3) { filter = filter.ofStillsUnlessAsked }
            let ends = [0, 1].map { _ in first + Int64.random(in: -2000...105_000, using: &random) }.sorted()
            let fitting = rows.filter { (ends[0]..<ends[1]).contains($0.id.millisecond) && filter.fits($0) }.map(\.id)
            let span = Timestamp(microseconds: ends[0] * 1000)..<Timestamp(microseconds: ends[1] * 1000)
            let counted = try file.catalog.lists.count(filter, in: span)
            #expect(counted.frames == fitting.count && counted.newest == fitting.max(), "\(filter)")
            found += counted.frames
        }
        #expect(found > 300)
    }

    @Test(arguments: [
        ("", "COVERING INDEX frame_camera (camera=? AND id>? AND id<?)"),
        ("verdict:intact, not pinned, bytes>100k", "COVERING INDEX frame_camera (camera=? AND id>? AND id<?)"),
        ("camera:yard", "COVERING INDEX frame_camera (camera=? AND id>? AND id<?)"),
        ("pinned", "COVERING INDEX frame_pinned (pinned=? AND id>? AND id<?)"),
        ("tag:alarm", "frameTag USING PRIMARY KEY (tag=? AND id>? AND id<?)"),
        ("kind:still", "COVERING INDEX frame_camera (camera=? AND id>? AND id<?)"),
        ("camera:yard, kind:still", "COVERING INDEX frame_camera (camera=? AND id>? AND id<?)"),
        ("tag:alarm, kind:still", "frame USING COVERING INDEX frame_kind (kind=? AND id>? AND id<?)"),
        ("camera:yard, kind:film", "INDEX frame_kind (kind=? AND id>? AND id<?)"),
        ("width>100", "frame USING PRIMARY KEY (id>? AND id<?)"),
    ])
    func `frames are counted by an index on the time`(_ text: String, _ index: String) throws {
        let file = try CatalogFile([FrameRow(0, tags: ["alarm"])])
        let sql = try FrameFilter(parsing: text).count(in: FrameID(firstOf: 0)..<FrameID(at: noon))
        let plan = try file.catalog.connection.read { database in
            try SQLRequest<Row>(literal: "EXPLAIN QUERY PLAN \(literal: sql)").fetchAll(database).map { "\($0)" }
        }
        #expect(plan.contains { $0.contains(index) }, "\(plan)")
    }

    /// Random rows, some of them of the same millisecond.
    private static func rows(_ random: inout SeededGenerator) -> [FrameRow] {
        (0..<300).map { number in
            FrameRow(
                number / 3,
                camera: random.pick(["door", "yard", "yard", "front-1", "front-2"]),
                bytes: random.pick([0, 5000, 99_999, 100_000, 150_000, 3_000_000, 200_000_000]),
                size: random.pick([FrameSize(width: 640, height: 480), FrameSize(width: 1280, height: 720)]),
                settled: random.pick([nil, true, false]),
                verdict: random.pick([nil, .intact, .intact, .intact, .damaged]),
                tags: random.pick([nil, nil, nil, [], ["alarm"], ["alarm", "al-2"], ["7", "night"], ["z"]]),
                source: random.pick([.request, .publish, .publish, .reconcile]),
                isPinned: Int.random(in: 0...20, using: &random) == 0,
                isLost: Int.random(in: 0...20, using: &random) == 0,
                kind: random.pick([nil, nil, nil, nil, nil, nil, .film, .clip]),
                microseconds: Int64(number % 3) * random.pick([1, 400, 1000, 333_000])
            )
        }
    }

    private static func filter(_ levels: Int, _ random: inout SeededGenerator) -> FrameFilter {
        switch levels > 0 ? Int.random(in: 0...6, using: &random) : 6 {
        case 0, 1: .all((0..<random.pick([0, 1, 2, 2, 3])).map { _ in filter(levels - 1, &random) })
        case 2, 3: .any((0..<random.pick([0, 1, 2, 2, 3])).map { _ in filter(levels - 1, &random) })
        case 4: .not(filter(levels - 1, &random))
        default: .is(condition(&random))
        }
    }

    private static func condition(_ random: inout SeededGenerator) -> FrameCondition {
        let time = noon + .microseconds(Int64.random(in: -5_000_000...105_000_000, using: &random))
        switch Int.random(in: 0...12, using: &random) {
        case 12: return .kind(random.pick(FrameKind.allCases))
        case 0: return .camera(random.pick(["door", "yard", "front*", "front-?", "*", "nowhere", "n*"]))
        case 1, 2: return .tag(random.pick(["alarm", "al", "arm", "al*", "7", "night", "*", "?", "none", "a*-2"]))
        case 3: return .verdict(random.pick(Verdict.allCases))
        case 4: return .settled(random.pick([true, false]))
        case 5: return .pinned(random.pick([true, false]))
        case 6: return .lost(random.pick([true, false]))
        case 7: return .source(random.pick(FrameSource.allCases))
        case 8: return .from(time)
        case 9: return .to(time)
        case 10: return .measure(.width, random.pick([0...639, 640...640, 1000...Int.max, 0...Int.max]))
        default:
            return .measure(.bytes, random.pick([0...0, 1...99_999, 100_000...100_000, 120_000...Int.max, 0...5000]))
        }
    }

    /// A time of zero limits each page to one search step of 1,000 index entries.
    @Test(arguments: FrameOrder.allCases, [("bytes>100k", 7), ("bytes>1M", 0), ("camera:yard, settled:no", 1)])
    func `a slow search continues on the next page`(
        _ order: FrameOrder,
        _ asked: (text: String, count: Int)
    ) throws {
        let rows = (0..<4200).map { number in
            let camera = number % 2 == 0 ? "door" : "yard"
            return FrameRow(number, camera: camera, bytes: number % 600 == 7 ? 200_000 : 5, settled: number != 3001)
        }
        let file = try CatalogFile(rows)
        var query = FrameQuery(filter: try FrameFilter(parsing: asked.text), order: order, limit: 3)
        var found: [FrameID] = []
        var pages = 0
        repeat {
            let (page, next, _) = try file.catalog.lists.page(query, within: .zero)
            found += page.map(\.id)
            pages += 1
            query.cursor = next
        } while query.cursor != nil
        let expected = rows.filter(query.filter.fits).map(\.id)
        #expect(found == (order == .oldest ? expected : expected.reversed()) && found.count == asked.count)
        #expect(pages == (asked.text.hasPrefix("camera") ? 3 : 5))
    }

    @Test func `an id filter matches its frame only`() throws {
        let rows = (0..<3).map { FrameRow($0) }
        let file = try CatalogFile(rows)
        for (id, fitting) in [(rows[1].id, [rows[1].id]), (FrameID(at: noon), [])] {
            let filter = try FrameFilter(parsing: "id:\(id)")
            #expect(try list(file.catalog, filter, .oldest, pages: 10).map(\.id) == fitting)
            #expect(try list(file.catalog, .not(filter), .oldest, pages: 10).count == rows.count - fitting.count)
        }
    }

    @Test func `an age filter counts from now`() throws {
        let now = Timestamp.now()
        let ages: [Int64] = [1, 100, 10_000]
        let rows = ages.map { FrameRow(0, microseconds: now.microseconds - noon.microseconds - $0 * 60_000_000) }
        let file = try CatalogFile(rows)
        let counts = try ["30s", "1h", "2d", "3650d"].map { age in
            try list(file.catalog, FrameFilter(parsing: "since:\(age)"), .newest, pages: 9).count
        }
        #expect(counts == [0, 1, 2, 3])
        #expect(try list(file.catalog, FrameFilter(parsing: "not since:1h"), .newest, pages: 9).count == 2)
    }

    @Test func `lists frames before 1970 and at the end of the time range`() throws {
        let times: [Int64] = [-5_000_000, -1, 0, 999, 1000, (1 << 48 - 1) * 1000]
        let rows = times.enumerated().map { number, time -> FrameRow in
            var row = FrameRow(number)
            row.capturedAt = Timestamp(microseconds: time)
            row.id = FrameID(at: row.capturedAt)
            return row
        }
        let file = try CatalogFile(rows)
        for time in times + [500, -2, 2000] {
            let filter = FrameFilter.is(.from(Timestamp(microseconds: time)))
            #expect(try list(file.catalog, filter, .oldest, pages: 2).count == times.count(where: { $0 >= time }))
            #expect(try list(file.catalog, .not(filter), .oldest, pages: 2).count == times.count(where: { $0 < time }))
            let before = FrameFilter.is(.to(Timestamp(microseconds: time)))
            #expect(try list(file.catalog, before, .newest, pages: 2).count == times.count(where: { $0 < time }))
            #expect(try list(file.catalog, .not(before), .newest, pages: 2).count == times.count(where: { $0 >= time }))
        }
    }

    @Test(arguments: FrameOrder.allCases)
    func `paging lists each remaining frame once while frames change`(_ order: FrameOrder) throws {
        let rows = (0..<60).map { FrameRow($0, camera: $0 % 2 == 0 ? "door" : "yard") }
        let file = try CatalogFile(rows)
        var query = FrameQuery(filter: .is(.lost(false)), order: order, limit: 10)
        var seen: [FrameID] = []
        var (deleted, step): (Set<FrameID>, Int) = ([], 0)
        repeat {
            let (page, next, _) = try file.catalog.lists.page(query)
            seen += page.map(\.id)
            query.cursor = next
            // Deletes the last listed frame and another one, and inserts frames at both ends and in the middle.
            let gone = [rows[step * 7], rows.first { $0.id == page.last?.id }].compactMap(\.self)
            try file.catalog.remove(gone)
            deleted.formUnion(gone.map(\.id))
            let new = [-1, 30, 90].map { FrameRow($0, camera: "new", microseconds: Int64(step + 1) * 1000) }
            try file.catalog.insert(new, isDurable: false, at: noon)
            step += 1
        } while query.cursor != nil && step < 9
        #expect(Set(seen).count == seen.count)
        #expect(seen == seen.sorted { order == .oldest ? $0 < $1 : $0 > $1 })
        for row in rows where !deleted.contains(row.id) { #expect(seen.contains(row.id)) }
    }

    @Test(arguments: [
        "x' OR '1'='1", "x\" OR \"\"=\"", "yard'; DROP TABLE frame; --", "%", "_", "[d]oor", "d[o]*", "*[!x]", "\\",
        "?1", "door\u{0}",
    ])
    func `filter text is never executed as SQL`(_ text: String) throws {
        let rows = [FrameRow(0, tags: ["alarm"]), FrameRow(1, camera: "yard")]
        let file = try CatalogFile(rows)
        for condition in [FrameCondition.camera(text), .tag(text), .camera(text + "*"), .tag("*" + text)] {
            let filter = FrameFilter.is(condition)
            #expect(try list(file.catalog, filter, .newest, pages: 10).isEmpty == !rows.contains(where: filter.fits))
            let others = try list(file.catalog, .not(filter), .newest, pages: 10)
            #expect(others.count == rows.count(where: { !filter.fits($0) }))
            // The SQL text contains no character of the filter.
            let texts = try file.catalog.connection.read { database in
                try [filter, .is(condition.blank)].map { try $0.sql.build(database).sql }
            }
            #expect(texts[0] == texts[1])
        }
        #expect(try file.catalog.totals().count == 2)
    }
}

extension FrameCondition {
    /// The same condition with another name.
    fileprivate var blank: FrameCondition {
        switch self {
        case .camera(let name): .camera(name.isPattern ? "*" : "a")
        case .tag(let name): .tag(name.isPattern ? "*" : "a")
        default: self
        }
    }
}
