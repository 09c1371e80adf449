// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import Logging
internal import Synchronization
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Standing jobs of the configuration.
@Suite struct UploadRuleTests {
    private let folder = SpoolFolder()

    private func open(_ rules: [UploadRule], logger: MessageLog = MessageLog()) async throws -> SpoolStore {
        try await folder.open(folder.configuration(uploads: rules), logger: logger.logger)
    }

    @Test func `each stored picture waits for the rules that it matches`() async throws {
        let spool = try await open([upload("all", priority: 5), upload("alarms", "tag:alarm")])
        let ids = try await spool.fill([still(0), still(1, tags: ["alarm"]), still(2)], durability: .full).map(\.id)
        let jobs = try await spool.jobs(until: soon)
        #expect(jobs.map(\.rule) == ["alarms", "all"] && jobs.map(\.waiting) == [1, 3])
        #expect(jobs.map(\.priority) == [0, 5] && jobs.map(\.source) == ["tag:alarm", "all()"])
        #expect(jobs.allSatisfy { $0.target == "s3:bucket" && $0.spool == "default" && $0.state == .pending })
        #expect(jobs.map(\.oldest) == [still(1).record.capturedAt, still(0).record.capturedAt])
        #expect(jobs.allSatisfy { $0.progress == nil && $0.attempts == 0 && $0.nextAttempt == nil })
        #expect(try await spool.batch(jobs[0]) == [ids[1]])
        #expect(try await spool.batch(jobs[1]) == ids)
    }

    @Test func `pictures stored while a job is paused or failed wait too`() async throws {
        let spool = try await open([upload()])
        let job = try await spool.job()
        for (number, event) in [JobState.Event.pause, .resume, .fail].enumerated() {
            _ = try await spool.changeJob(job.id, by: event, until: soon)
            try await spool.fill([number])
        }
        let failed = try await spool.job()
        #expect(failed.waiting == 3 && failed.state == .failed && failed.endedAt != nil)
    }

    @Test func `a picture and its deliveries are stored together or not at all`() async throws {
        let spool = try await open([upload()])
        try folder.refuse("INSERT ON delivery")
        #expect(try await spool.refusal().code == .spoolUnavailable)
        try folder.sql("DROP TRIGGER refuse")
        let id = try await spool.store(still(1), durability: .full, until: soon).id
        #expect(try folder.ids() == [id] && folder.deliveries() == [id])
        #expect(try folder.pictures().count == 1)
    }

    @Test func `without rules, storing and deleting a picture executes no statement on deliveries`() throws {
        let file = try CatalogFile()
        let statements = Mutex<[String]>([])
        func trace(_ body: () throws -> Void) throws -> Int {
            statements.withLock { $0 = [] }
            try body()
            return statements.withLock { $0.count { $0.contains("delivery") || $0.contains("job") } }
        }
        try file.catalog.insert([FrameRow(0)], isDurable: false, at: noon)
        try file.catalog.connection.perform("watch") { queue in
            queue.writeWithoutTransaction { database in
                database.trace { event in statements.withLock { $0.append("\(event)") } }
            }
        }
        #expect(try trace { try file.catalog.insert([FrameRow(1)], isDurable: true, at: noon) } == 0)
        #expect(try trace { try file.catalog.remove([FrameRow(1)]) } == 0)
        file.catalog.standing = StandingJobs([try upload()], spool: "default")
        try file.catalog.applyUploads()
        #expect(try trace { try file.catalog.insert([FrameRow(2)], isDurable: true, at: noon) } > 0)
    }

    @Test func `a removed rule is cancelled, and says how many pictures waited`() async throws {
        let log = MessageLog()
        let spool = try await open([upload(), upload("other")], logger: log)
        let (job, ids) = (try await spool.job(), try await spool.fill(0..<3).map(\.id))
        try await spool.record(job, done: [ids[0]])
        spool.use(folder.configuration(uploads: [try upload("other")]))
        let removed = try await spool.job()
        #expect(removed.state == .cancelled && removed.endedAt != nil && removed.id == job.id)
        try await spool.fill([3])
        #expect(try await spool.job().waiting == 0)
        #expect(try await spool.job("other").waiting == 4)
        #expect(try await spool.job().lost == 0)
        #expect(try await spool.job().done == 1)
        let lines = log.lines.filter { $0.text.contains("upload rule was removed") }
        #expect(lines.map { $0.metadata["count"] } == ["2"] && lines.map { $0.metadata["rule"] } == ["site"])
    }

    @Test func `a rule that returns begins anew`() async throws {
        let rule = try upload()
        var spool = try await open([rule])
        let job = try await spool.job()
        try await spool.fill(0..<3)
        _ = try await spool.changeJob(job.id, by: .pause, until: soon)
        await spool.close(until: soon)
        spool = try await open([])
        #expect(try await spool.job().state == .cancelled)
        try await spool.fill(3..<5)
        spool.use(folder.configuration(uploads: [rule]))
        let back = try await spool.job()
        #expect(back.state == .pending && back.createdAt > job.createdAt && back.endedAt == nil && back.id == job.id)
        let id = try await spool.fill([5])[0].id
        #expect(try await spool.batch(back) == [id])
    }

    @Test func `a changed rule of the same name keeps its job and the pictures that wait`() async throws {
        let spool = try await open([upload()])
        let (job, ids) = (try await spool.job(), try await spool.fill(0..<2).map(\.id))
        var changed = try upload("site", "camera:yard", priority: 7)
        changed.target = "https://example.org"
        spool.use(folder.configuration(uploads: [changed]))
        try await spool.fill([2])
        let now = try await spool.job()
        #expect(now.id == job.id && now.createdAt == job.createdAt && now.priority == 7)
        #expect(now.source == "camera:yard" && now.target == "https://example.org")
        #expect(try await spool.batch(now) == ids)
    }

    @Test func `a picture found without a row waits for the jobs that are older than it`() async throws {
        var spool = try await open([upload("old"), upload("new")])
        try await spool.fill(0..<3)
        await spool.close(until: soon)
        let times = [("old", 0), ("new", 2)].map { name, number in
            "UPDATE job SET createdAt = \(still(number).record.capturedAt.microseconds) WHERE rule = '\(name)';"
        }
        try folder.sql("DELETE FROM frame; UPDATE job SET lost = 0; \(times.joined())")
        spool = try await open([upload("old"), upload("new")])
        #expect(try await spool.job("old").waiting == 3)
        #expect(try await spool.batch(spool.job("new")) == folder.ids().suffix(1))
    }

    @Test func `a rule made before the clock was set back gets the pictures found after that`() throws {
        let clock = WallClock(noon + .seconds(366 * 86_400))
        let file = try CatalogFile(clock: clock)
        file.catalog.standing = StandingJobs([try upload()], spool: "default")
        try file.catalog.applyUploads()
        clock.set(noon)
        try file.catalog.insert([FrameRow(0)], isDurable: false, at: noon)
        try file.catalog.insert([FrameRow(1, source: .reconcile)], isDurable: false, at: noon)
        let job = try JobTable(connection: file.catalog.connection, spool: "default").all(at: noon)[0]
        #expect(job.waiting == 2 && job.createdAt == noon)
    }

    @Test func `the id of a rule's job is the same in a new catalog`() async throws {
        var ids: Set<String> = []
        for _ in 0..<2 {
            let spool = try await open([upload()])
            ids.insert(try await spool.job().id)
            await spool.close(until: soon)
            try folder.remove("catalog.sqlite")
        }
        #expect(ids.count == 1 && ids.allSatisfy { $0.count == Job.idLength })
    }
}
