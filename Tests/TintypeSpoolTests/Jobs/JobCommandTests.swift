// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Jobs that a client asks for, and the commands on them.
@Suite struct JobCommandTests {
    private let folder = SpoolFolder()

    /// Returns a spool with this number of pictures.
    private func filled(_ count: Int) async throws -> (spool: SpoolStore, ids: [FrameID]) {
        let spool = try await folder.open()
        return (spool, try await spool.fill(0..<count).map(\.id))
    }

    @Test func `a job has the stored pictures that match, and ends with the last of them`() async throws {
        let (spool, ids) = try await filled(4)
        try await spool.fill([9], camera: "yard")
        let request = try order("camera:door", priority: 3)
        let job = try await spool.addJob(request, until: soon)
        #expect(job.waiting == 4 && job.state == .pending && job.priority == 3 && job.rule == nil && job.progress == 0)
        #expect(job.source == "camera:door" && job.target == "s3:bucket/{id}" && job.id.count == Job.idLength)
        #expect(try await spool.uploadOptions(ofJob: job.id, until: soon) == request.options)
        #expect(try await spool.record(job, done: Array(ids.prefix(3))).progress == 0.75)
        let last = try await spool.record(job, done: ids)
        #expect(last.state == .done && last.done == 4 && last.bytes == 4 * picture.count && last.endedAt != nil)
        // A later picture is none of its.
        try await spool.fill([10])
        #expect(try await spool.jobs(until: soon) == [last])
    }

    @Test func `jobs that ended long ago are deleted, but no failed ones, and the newest are listed`() async throws {
        let (spool, ids) = try await filled(2)
        let rule = "rule"
        var jobs: [(id: String, state: JobState, days: Int)] = [
            ("open", .pending, 0), ("failed", .failed, 900), (rule, .cancelled, 900), ("new", .done, 6),
            ("refused", .cancelled, 9),
        ]
        jobs += (0..<600).map { ("old\($0)", [.done, .cancelled][$0 % 2], 8 + $0) }
        try await spool.storage.perform("test", until: soon) { [jobs] spool throws(Problem) in
            try spool.catalog.connection.write(isDurable: false) { database in
                for (id, state, days) in jobs {
                    let name = id == rule ? id : nil
                    var job = Job(id: id, rule: name, spool: "", source: "", target: "", createdAt: noon)
                    job.state = state
                    job.endedAt = state == .pending ? nil : noon - day * days
                    try JobRow(job).insert(database)
                }
            }
            try spool.jobTable.insertDeliveries(of: "refused", ids)
        }
        try folder.sql("UPDATE delivery SET state = 'failed'")
        func listed(_ ended: Int) async throws -> [String] {
            try await spool.jobs(ended: ended, until: soon).map(\.id)
        }
        #expect(try await Set(listed(0)) == [rule, "open", "failed"])
        #expect(try await Set(listed(2)) == [rule, "open", "failed", "new", "old0"])
        #expect(try await listed(1000).count == 605)
        func forget() async throws -> Int {
            try await spool.storage.perform("test", until: soon) { spool throws(Problem) in
                try spool.jobTable.forget(before: noon - Job.memory)
            }
            return try await listed(1000).count
        }
        #expect(try await forget() == 105)
        #expect(try await forget() == 4)
        #expect(try await Set(listed(1000)) == [rule, "open", "failed", "new"])
        #expect(try folder.deliveries().isEmpty)
    }

    @Test func `a job without pictures is done at once`() async throws {
        let (spool, _) = try await filled(1)
        let job = try await spool.addJob(order("camera:yard"), until: soon)
        #expect(job.state == .done && job.progress == 1 && job.endedAt != nil)
    }

    @Test func `a large job is made in steps, and lost pictures are not in it`() async throws {
        let spool = try await folder.open()
        let rows = (0..<2 * SpoolStore.changeBatch + 7).map { FrameRow($0, isLost: $0 == 5) }
        try await spool.storage.perform("be filled", until: soon) { spool throws(Problem) in
            try spool.catalog.insert(rows, isDurable: false, at: noon)
        }
        let job = try await spool.addJob(order(), until: soon)
        #expect(job.waiting == rows.count - 1)
        let cancelled = try await spool.changeJob(job.id, by: .cancel, until: soon)
        #expect(cancelled.state == .cancelled && cancelled.lost == 0)
        #expect(try await spool.jobs(until: soon).map(\.waiting) == [0])
    }

    @Test func `a job that was interrupted before its row leaves nothing`() async throws {
        let (spool, ids) = try await filled(3)
        let job = try await spool.addJob(order(), until: soon)
        await spool.close(until: soon)
        // As a kill before the last step leaves the catalog.
        try folder.sql("DELETE FROM job")
        #expect(try folder.deliveries() == ids)
        let again = try await folder.open()
        #expect(try await again.jobs(until: soon).isEmpty)
        #expect(try folder.deliveries().isEmpty)
        #expect(try await again.batch(job).isEmpty)
    }

    @Test func `a job that cannot be completed leaves nothing`() async throws {
        let (spool, _) = try await filled(3)
        try folder.refuse("INSERT ON job")
        #expect(await problem { try await spool.addJob(order(), until: soon) }?.code == .spoolUnavailable)
        #expect(try await spool.jobs(until: soon).isEmpty)
        #expect(try folder.deliveries().isEmpty)
    }

    @Test func `rules come first, then the newest jobs`() async throws {
        let spool = try await folder.open(folder.configuration(uploads: [upload("b"), upload("a")]))
        try await spool.fill([0])
        let (first, second) = (
            try await spool.addJob(order(), until: soon), try await spool.addJob(order(), until: soon)
        )
        #expect(try await spool.jobs(until: soon).map { $0.rule ?? $0.id } == ["a", "b", second.id, first.id])
    }

    @Test func `an event that the state refuses is a conflict with a remedy`() async throws {
        let (spool, _) = try await filled(1)
        let job = try await spool.addJob(order(), until: soon)
        #expect(try await spool.changeJob(job.id, by: .pause, until: soon).state == .paused)
        let refused = await problem { try await spool.changeJob(job.id, by: .retry, until: soon) }
        #expect(refused?.code == .configurationConflict && refused?.detail.contains("paused") == true)
        #expect(refused?.remedy.contains("tintype jobs resume \(job.id)") == true)
        #expect(await problem { try await spool.changeJob("nothing", by: .pause, until: soon) }?.code == .notFound)
        #expect(try await spool.changeJob(job.id, by: .resume, until: soon).state == .pending)
        // Neither is stored.
        for event in [JobState.Event.begin, .yield] {
            #expect(try await spool.changeJob(job.id, by: event, until: soon).state == .pending)
        }
    }

    @Test func `a rule is paused and resumed but not cancelled or deleted`() async throws {
        let spool = try await folder.open(folder.configuration(uploads: [upload()]))
        let job = try await spool.job()
        let cancelled = await problem { try await spool.changeJob(job.id, by: .cancel, until: soon) }
        let deleted = await problem { try await spool.deleteJob(job.id, until: soon) }
        for refused in [cancelled, deleted] {
            #expect(refused?.code == .configurationConflict && refused?.remedy.contains("configuration") == true)
        }
        #expect(try await spool.changeJob(job.id, by: .pause, until: soon).state == .paused)
        #expect(try await spool.changeJob(job.id, by: .resume, until: soon).state == .pending)
    }

    @Test func `cancelling deletes waiting deliveries and loses nothing`() async throws {
        let (spool, ids) = try await filled(3)
        let job = try await spool.addJob(order(), until: soon)
        try await spool.record(job, done: [ids[0]])
        let cancelled = try await spool.changeJob(job.id, by: .cancel, until: soon)
        #expect(cancelled.state == .cancelled && cancelled.waiting == 0 && cancelled.lost == 0 && cancelled.done == 1)
        #expect(try folder.deliveries(where: "state = 'pending'").isEmpty)
        _ = try await spool.delete(.ids(ids), until: soon)
        #expect(try await spool.jobs(until: soon).map(\.lost) == [0])
    }

    @Test func `only a job that has ended is deleted, with its deliveries`() async throws {
        let (spool, ids) = try await filled(3)
        let job = try await spool.addJob(order(), until: soon)
        try await spool.record(job, done: [ids[0]], failures: [.init(ids[1], isFinal: true)])
        let refused = await problem { try await spool.deleteJob(job.id, until: soon) }
        #expect(refused?.code == .configurationConflict && refused?.remedy.contains("tintype jobs cancel") == true)
        _ = try await spool.changeJob(job.id, by: .fail, error: "No such remote.", until: soon)
        try await spool.deleteJob(job.id, until: soon)
        #expect(try await spool.jobs(until: soon).isEmpty)
        #expect(try folder.deliveries(where: "state <> 'done'").isEmpty)
        #expect(await problem { try await spool.deleteJob(job.id, until: soon) }?.code == .notFound)
    }

    @Test func `a changed priority lasts`() async throws {
        let (spool, _) = try await filled(1)
        let job = try await spool.addJob(order(), until: soon)
        #expect(try await spool.setPriority(9, ofJob: job.id, until: soon).priority == 9)
        await spool.close(until: soon)
        #expect(try await folder.open().jobs(until: soon).map(\.priority) == [9])
    }
}
