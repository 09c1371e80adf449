// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSystem

@testable internal import TintypeSpool

/// Stills, films and clips in lists, counts, changes and jobs.
@Suite struct FilmListTests {
    private let folder = SpoolFolder()

    @Test func `lists have stills only without a condition on kind or id`() async throws {
        let spool = try await folder.open()
        let stills = try await spool.fill(0..<2).map(\.id)
        let film = try await spool.makeFilm(1)
        #expect(try await spool.ids() == stills)
        #expect(try await spool.ids("camera:door, not pinned") == stills)
        #expect(try await spool.ids("kind:still") == stills)
        #expect(try await spool.ids("kind:film") == [film])
        #expect(try await spool.ids("kind:clip") == [])
        #expect(try await spool.ids("not kind:still, camera:door") == [film])
        #expect(try await spool.ids("id:\(film)") == [film])
        #expect(try await spool.ids("not id:\(stills[0])") == [stills[1]])
        var query = FrameQuery(after: 0)
        #expect(try await spool.frames(query, until: soon).frames.map(\.id) == stills)
        query.filter = try FrameFilter(parsing: "any(kind:film, kind:still)")
        #expect(try await spool.frames(query, until: soon).frames.map(\.id) == stills + [film])
    }

    @Test func `counts have stills only without a condition on the kind`() async throws {
        let spool = try await folder.open()
        try await spool.fill([still(0, tags: ["alarm"]), still(1)])
        try await spool.makeFilm(2, tags: ["alarm"])
        func count(_ filter: String) async throws -> Int {
            let times = [noon - .seconds(60), noon + .seconds(60)]
            let query = FrameSpanQuery(filter: try FrameFilter(parsing: filter), times: times)
            return try await spool.spans(query, until: soon).reduce(0) { $0 + $1.frames }
        }
        #expect(try await count("") == 2)
        #expect(try await count("camera:door") == 2)
        #expect(try await count("tag:alarm") == 1)
        #expect(try await count("tag:alarm, kind:film") == 1)
        #expect(try await count("kind:film") == 1)
    }

    @Test func `changes and deletions by a filter leave films alone unless asked`() async throws {
        let spool = try await folder.open()
        try await spool.fill(0..<2)
        let film = try await spool.makeFilm()
        let pin = FrameChange(.filter(.everything), FrameEdit(pinned: true))
        #expect(try await spool.change(pin, until: soon).changed == 2)
        #expect(try await !spool.video(film).pinned)
        #expect(try await spool.delete(.filter(.everything), until: soon).changed == 2)
        #expect(try folder.pictures().isEmpty && folder.videos().count == 1)
        #expect(try await spool.delete(.filter(.is(.kind(.film))), until: soon).changed == 1)
        #expect(try folder.videos().isEmpty)
    }

    @Test func `uploads take films only if a rule or a job asks`() async throws {
        let rules = [try upload("films", "kind:film"), try upload("site")]
        let spool = try await folder.open(folder.configuration(uploads: rules))
        let stills = try await spool.fill([0], durability: .full).map(\.id)
        let film = try await spool.makeFilm(1)
        #expect(try await spool.batch(spool.job("films")) == [film])
        #expect(try await spool.batch(spool.job("site")) == stills)
        #expect(try await spool.addJob(order("camera:door"), until: soon).waiting == 1)
        #expect(try await spool.addJob(order("kind:film"), until: soon).waiting == 1)
        let job = try await spool.job("films")
        let pictures = try await spool.nextBatch(ofJob: job.id, order: .oldest, limit: 9, at: noon, until: soon)
        let record = try await spool.video(film)
        #expect(pictures.map(\.bytes) == [record.still.bytes] && pictures.first?.path.hasSuffix(".mp4") == true)
    }

    @Test func `statistics count stills and films separately, with the bytes of both`() async throws {
        let spool = try await folder.open()
        try await spool.fill(0..<2)
        let film = try await spool.makeFilm()
        _ = try await spool.change(FrameChange(.ids([film]), FrameEdit(pinned: true)), until: soon)
        let total = try await spool.statistics(until: soon).total
        let bytes = try await spool.video(film).still.bytes
        #expect(total.frames == 2 && total.films == 1 && total.pinned == 0)
        #expect(total.bytes == 2 * picture.count + bytes)
    }

    @Test func `latest.jpg shows stills only`() async throws {
        let spool = try await folder.open()
        let records = try await spool.fill(0..<2, durability: .full)
        // More than are looked at in one step.
        for number in 2..<22 { try await spool.makeFilm(number) }
        #expect(try "door/" + folder.target() == folder.relative(records[1]))
        _ = try await spool.delete(.ids([records[1].id]), until: soon)
        #expect(try "door/" + folder.target() == folder.relative(records[0]))
        try folder.remove("door/latest.jpg")
        _ = try await spool.verify(until: soon)
        #expect(try "door/" + folder.target() == folder.relative(records[0]))
        _ = try await spool.delete(.ids([records[0].id]), until: soon)
        #expect(try !folder.names(in: "door").contains("latest.jpg"))
    }

    @Test func `a row of an unknown kind is damage`() throws {
        let file = try CatalogFile([FrameRow(0)])
        for kind in ["'still'", "'sound'", "7"] {
            try file.catalog.connection.write(isDurable: false) {
                try $0.execute(sql: "UPDATE frame SET kind = \(kind)")
            }
            #expect(throws: Problem.self, "\(kind)") { try file.all() }
        }
    }
}

extension CatalogFile {
    /// Reads all rows, whose ids differ in each run.
    fileprivate func all() throws(Problem) -> FrameRow? { try catalog.rows("SELECT * FROM frame", []).first }
}
