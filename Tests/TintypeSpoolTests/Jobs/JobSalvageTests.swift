// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Jobs and deliveries from a damaged catalog.
@Suite struct JobSalvageTests {
    private let folder = SpoolFolder()

    private var configuration: SpoolStore.Configuration {
        get throws { folder.configuration(uploads: [try upload()]) }
    }

    private func breakCatalog() throws {
        try folder.write(Array("a page is broken".utf8), to: ".catalog-damaged")
    }

    @Test func `a rebuilt catalog has the jobs, with waiting and done deliveries`() async throws {
        var spool = try await folder.open(configuration)
        let ids = try await spool.fill(0..<5).map(\.id)
        let once = try await spool.addJob(order(), until: soon)
        var job = try await spool.job()
        try await spool.record(
            job,
            done: Array(ids.prefix(2)),
            failures: [.init(ids[2], isFinal: true), .init(ids[3])]
        )
        try await spool.record(once, done: [ids[4]])
        job = try await spool.changeJob(job.id, by: .pause, until: soon)
        let before = try await spool.jobs(until: soon)
        await spool.close(until: soon)

        try breakCatalog()
        spool = try await folder.open(configuration)
        try DamagedSpool.expectSetAside(folder, 1)
        #expect(try await spool.jobs(until: soon) == before)
        #expect(try await spool.batch(job, at: noon + .seconds(3600)) == [ids[3], ids[4]])
        #expect(try await spool.uploadOptions(ofJob: once.id, until: soon) == order().options)
        try await spool.fill([9])
        #expect(try await spool.job().waiting == 3)
    }

    @Test func `pictures stored before the rebuild are delivered once`() async throws {
        var spool = try await folder.open(configuration)
        let ids = try await spool.fill(0..<2).map(\.id)
        try await spool.record(spool.job(), done: [ids[0]])
        await spool.close(until: soon)
        try breakCatalog()
        spool = try await SpoolStore.open(configuration)
        let next = try await spool.fill([5])[0].id
        try await spool.record(spool.job(), done: [next])
        _ = try await spool.verify(until: soon)
        let job = try await spool.job()
        #expect(job.done == 2 && job.waiting == 1)
        #expect(try await spool.batch(job) == [ids[1]])
    }

    @Test func `pictures whose deliveries are unreadable wait again`() async throws {
        var spool = try await folder.open(configuration)
        let ids = try await spool.fill(0..<3).map(\.id)
        try await spool.record(spool.job(), done: [ids[0]])
        await spool.close(until: soon)
        // The second delivery has an impossible state; the pictures are younger than the job.
        try folder.sql("UPDATE job SET createdAt = 0; UPDATE delivery SET state = 'x' WHERE frame = \(ids[1].sql)")
        try breakCatalog()
        spool = try await folder.open(configuration)
        let job = try await spool.job()
        #expect(try await spool.batch(job) == [ids[1], ids[2]])
        #expect(job.done == 1)
    }

    @Test(arguments: ["state = 'running'", "done = -1", "kind = 'mosaic'", "createdAt = 9223372036854775807"])
    func `rebuilding for an unreadable job keeps the waiting pictures of its rule`(_ change: String) async throws {
        var spool = try await folder.open(configuration)
        let ids = try await spool.fill(0..<2).map(\.id)
        await spool.close(until: soon)
        try folder.sql("UPDATE job SET \(change)")
        spool = try await folder.open(configuration)
        try DamagedSpool.expectSetAside(folder, 1)
        #expect(try await spool.batch(spool.job()) == ids)
    }

    @Test func `a rule that was removed meanwhile is cancelled`() async throws {
        var spool = try await folder.open(configuration)
        try await spool.fill(0..<2)
        await spool.close(until: soon)
        try breakCatalog()
        spool = try await folder.open(folder.configuration)
        let job = try await spool.job()
        #expect(job.state == .cancelled && job.waiting == 0)
    }

    @Test func `a delivery without a frame counts as lost once the catalog is rebuilt`() async throws {
        var spool = try await folder.open(configuration)
        let ids = try await spool.fill(0..<3).map(\.id)
        let job = try await spool.job()
        await spool.close(until: soon)
        try folder.sql("DROP TRIGGER frame_undelivered; DELETE FROM frame WHERE id = \(ids[1].sql)")
        try folder.remove(storedName(1))
        try breakCatalog()
        spool = try await SpoolStore.open(configuration)
        #expect(try await spool.batch(job).isEmpty)
        #expect(try await spool.job().lost == 0)
        _ = try await spool.verify(until: soon)
        #expect(try await spool.batch(job) == [ids[0], ids[2]])
        #expect(try await spool.job().lost == 1)
        #expect(try await spool.job().waiting == 2)
    }

    @Test func `a done delivery replaces one that waits, but not the reverse`() throws {
        let rows = [FrameRow(0), FrameRow(1)]
        let file = try CatalogFile()
        file.catalog.standing = StandingJobs([try upload()], spool: "default")
        try file.catalog.insert(rows, isDurable: false, at: noon)
        let table = JobTable(connection: file.catalog.connection, spool: "default")
        let id = try table.all(at: noon)[0].id
        _ = try table.record([rows[1].id], [], of: id, deletes: false, at: noon)
        func part(_ row: FrameRow, _ state: String) throws -> CatalogSalvage.Part {
            let row = ["frame": row.id.databaseValue, "job": id.databaseValue, "state": state.databaseValue]
            let others = ["attempts": 0.databaseValue, "next": 0.databaseValue, "error": DatabaseValue.null]
            return .init(deliveries: [try DeliveryRow(row: Row(row.merging(others) { $1 }))])
        }
        _ = try part(rows[0], "done").merge(into: file.catalog)
        _ = try part(rows[1], "pending").merge(into: file.catalog)
        #expect(try table.all(at: noon).map(\.waiting) == [0])
        #expect(throws: (any Error).self) { try part(rows[0], "sent") }
    }

    @Test func `all deliveries of a frame are read, however many a step has`() async throws {
        let rules = try (0..<3).map { try upload("rule\($0)") }
        let spool = try await folder.open(folder.configuration(uploads: rules))
        try await spool.fill(0..<3)
        await spool.close(until: soon)
        var salvage = CatalogSalvage(path: "\(folder.path)/catalog.sqlite", oldestTombstone: noon)
        var (deliveries, jobs): ([DeliveryRow], Set<String>) = ([], [])
        while let part = salvage.next(2) {
            deliveries += part.deliveries.filter { !deliveries.contains($0) }
            jobs.formUnion(part.jobs.map(\.id))
        }
        salvage.close()
        #expect(deliveries.count == 9 && jobs.count == 3)
    }
}
