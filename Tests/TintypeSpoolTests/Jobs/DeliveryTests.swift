// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Batches of pictures, and their results.
@Suite struct DeliveryTests {
    private let folder = SpoolFolder()

    /// Returns a spool with a rule and this number of pictures.
    private func filled(_ count: Int) async throws -> (spool: SpoolStore, job: Job, ids: [FrameID]) {
        let spool = try await folder.open(folder.configuration(uploads: [upload()]))
        let ids = try await spool.fill(0..<count).map(\.id)
        return (spool, try await spool.job(), ids)
    }

    @Test func `a batch has the oldest or the newest pictures in order`() async throws {
        let (spool, job, ids) = try await filled(4)
        #expect(try await spool.batch(job, .oldest, limit: 3) == Array(ids.prefix(3)))
        #expect(try await spool.batch(job, .newest, limit: 3) == Array(ids.reversed().prefix(3)))
        let first = try await spool.nextBatch(ofJob: job.id, order: .oldest, limit: 1, at: noon, until: soon)[0]
        #expect(first.camera == "door" && "door/\(first.path)" == storedName() && first.bytes == picture.count)
        #expect(first.capturedAt == noon)
    }

    @Test func `a delivered picture is counted once, durably`() async throws {
        let (spool, job, ids) = try await filled(3)
        let failed = try await spool.record(job, failures: [.init(ids[1])])
        #expect(failed.error == "The server is away." && failed.attempts == 1 && failed.lastSuccess == nil)
        let time = noon + .seconds(60)
        for _ in 0..<2 {
            let done = try await spool.record(job, done: [ids[0], FrameID(at: noon)], at: time)
            #expect(done.done == 1 && done.bytes == picture.count && done.lastSuccess == time && done.waiting == 2)
        }
        #expect(try await spool.job().error == nil)
        let left = try folder.copy()
        let copied = try await left.open(left.configuration(uploads: [upload()]))
        #expect(try await copied.batch(copied.job(), at: time) == [ids[1], ids[2]])
    }

    @Test func `no results are recorded for an unknown job`() async throws {
        let (spool, _, ids) = try await filled(1)
        let job = try await spool.recordDeliveries(
            ofJob: "nothing",
            done: ids,
            failures: [],
            deletes: true,
            at: noon,
            until: soon
        )
        #expect(job == nil)
        #expect(try folder.ids() == ids)
    }

    @Test func `pauses between attempts grow from five seconds to an hour`() async throws {
        let (spool, job, ids) = try await filled(2)
        var now = noon
        for attempt in 1...20 {
            let told = try await spool.record(job, failures: [.init(ids[0])], at: now)
            #expect(told.attempts == attempt && told.state == .pending)
            let text = try folder.sql("SELECT next FROM delivery WHERE frame = \(ids[0].sql)")[0]
            let next = Timestamp(microseconds: try #require(Int64(text)))
            let longest = min(.seconds(3600), Duration.seconds(5) * (1 << min(attempt - 1, 10)))
            #expect(next >= now + longest * 0.5 && next <= now + longest)
            // The others do not wait for it.
            #expect(try await spool.batch(job, at: next - .microseconds(1)) == [ids[1]])
            #expect(try await spool.batch(job, at: next) == ids)
            now = next
        }
    }

    @Test func `the next attempt is that of the first picture if all have failed`() async throws {
        let (spool, job, ids) = try await filled(2)
        let now = Timestamp.now() + .seconds(1800)
        #expect(try await spool.record(job, failures: [.init(ids[0])], at: now).nextAttempt == nil)
        let next = try #require(try await spool.record(job, failures: [.init(ids[1])], at: now).nextAttempt)
        #expect(next > now && next <= now + .seconds(5))
        #expect(try await spool.job().nextAttempt == next)
    }

    @Test func `a picture that the target refuses for good is not tried again before a retry`() async throws {
        let (spool, job, ids) = try await filled(2)
        let refused = try await spool.record(job, failures: [.init(ids[0], isFinal: true), .init(ids[1])])
        #expect(refused.failed == 1 && refused.waiting == 1 && refused.state == .pending)
        #expect(try await spool.batch(job, at: noon + .seconds(3600)) == [ids[1]])
        let again = try await spool.changeJob(job.id, by: .retry, until: soon)
        #expect(again.failed == 0 && again.waiting == 2 && again.error == nil && again.attempts == 0)
        #expect(try await spool.batch(job) == ids)
    }

    @Test func `a job whose last picture is refused fails, and a retry starts it again`() async throws {
        let (spool, _, ids) = try await filled(2)
        let job = try await spool.addJob(order(), until: soon)
        try await spool.record(job, failures: [.init(ids[1], isFinal: true)])
        let failed = try await spool.record(job, done: [ids[0]])
        #expect(failed.state == .failed && failed.endedAt != nil && failed.failed == 1)
        #expect(failed.error == "1 picture could not be delivered.")
        let again = try await spool.changeJob(job.id, by: .retry, until: soon)
        #expect(again.state == .pending && again.endedAt == nil && again.waiting == 1)
        #expect(try await spool.record(job, done: [ids[1]]).state == .done)
    }

    @Test func `a fatal error ends a job until a retry`() async throws {
        let (spool, job, ids) = try await filled(1)
        let failed = try await spool.changeJob(job.id, by: .fail, error: "There is no remote s3.", until: soon)
        #expect(failed.state == .failed && failed.error == "There is no remote s3." && failed.waiting == 1)
        #expect(try await spool.changeJob(job.id, by: .retry, until: soon).state == .pending)
        #expect(try await spool.batch(job) == ids)
    }

    @Test func `a picture that is deleted while it waits is counted as lost`() async throws {
        let (spool, job, ids) = try await filled(3)
        let once = try await spool.addJob(order(), until: soon)
        try await spool.record(job, done: [ids[0]])
        _ = try await spool.delete(.ids(Array(ids.prefix(2))), until: soon)
        #expect(try await spool.job().lost == 1)
        #expect(try await spool.job().waiting == 1)
        #expect(try folder.deliveries(where: "job = '\(job.id)'") == [ids[2]])
        _ = try await spool.delete(.ids(ids), until: soon)
        // None of its pictures can be delivered any more; its end is left to one who tells it.
        let emptied = try await spool.jobs(until: soon)[1]
        #expect(emptied.id == once.id && emptied.state == .pending && emptied.waiting == 0 && emptied.lost == 3)
        for event in [JobState.Event.pause, .resume] {
            #expect(try await spool.changeJob(once.id, by: event, until: soon).endedAt == nil)
        }
        let ended = try await spool.changeJob(once.id, by: .finish, until: soon)
        #expect(ended.state == .failed && ended.endedAt != nil)
        #expect(ended.error == "3 pictures had been deleted before the delivery.")
    }

    @Test func `a picture without a file is passed over and fails`() async throws {
        let (spool, job, ids) = try await filled(3)
        try folder.remove(storedName(1))
        _ = try await spool.verify(until: soon)
        #expect(try await spool.batch(job, limit: 2) == [ids[0], ids[2]])
        #expect(try await spool.job().failed == 1)
        #expect(try await spool.job().waiting == 2)
        #expect(
            try folder.sql("SELECT error FROM delivery WHERE state = 'failed'") == ["The file of the picture is gone."]
        )
    }

    @Test func `a picture whose file returns waits again, unless its job was cancelled`() async throws {
        let (spool, job, ids) = try await filled(2)
        let (once, other) = (try await spool.addJob(order(), until: soon), try await spool.addJob(order(), until: soon))
        let bytes = try folder.bytes(storedName())
        try folder.remove(storedName())
        _ = try await spool.verify(until: soon)
        for job in [job, once, other] { #expect(try await spool.batch(job) == [ids[1]]) }
        // The target refuses the other one.
        try await spool.record(job, failures: [.init(ids[1], isFinal: true)])
        _ = try await spool.changeJob(other.id, by: .cancel, until: soon)
        try folder.write(bytes, to: storedName())
        _ = try await spool.verify(until: soon)
        #expect(try await spool.batch(job) == [ids[0]])
        #expect(try await spool.batch(once) == ids)
        #expect(try await spool.job().failed == 1)
        #expect(try await spool.jobs(until: soon).first { $0.id == other.id }?.waiting == 0)
    }

    @Test func `many pictures without files are given up in steps`() async throws {
        let spool = try await folder.open(folder.configuration(uploads: [upload()]))
        let rows = (0..<7).map { FrameRow($0) }
        let job = try await spool.job()
        let read = try await spool.storage.perform("be filled", until: soon) { spool throws(Problem) in
            try spool.catalog.insert(rows, isDurable: false, at: noon)
            _ = try spool.catalog.mark(rows.prefix(5).map(\.path), isLost: true)
            return try spool.jobTable.nextBatch(of: job.id, .oldest, limit: 2, isRebuilding: false, at: noon)
        }
        #expect(read == nil)
        #expect(try await spool.job().failed == 2)
        #expect(try await spool.batch(job, limit: 2) == rows.suffix(2).map(\.id))
        #expect(try await spool.job().failed == 5)
    }

    @Test func `after the clock was set back, a picture that failed waits for an hour at most`() async throws {
        let (spool, job, ids) = try await filled(2)
        let future = noon + .seconds(10 * 366 * 86_400)
        try await spool.record(job, failures: [.init(ids[0])], at: future)
        let (waits, again) = (try await spool.batch(job, at: future), try await spool.batch(job))
        #expect(waits == [ids[1]] && again == ids)
        // Nor is it told as the next attempt.
        let all = try await spool.record(job, failures: [.init(ids[1])], at: future)
        #expect(all.nextAttempt != nil)
        #expect(try await spool.job().nextAttempt == nil)
    }

    @Test func `a refused picture that is deleted is counted as lost`() async throws {
        let (spool, job, ids) = try await filled(2)
        try await spool.record(job, done: [ids[1]], failures: [.init(ids[0], isFinal: true)])
        _ = try await spool.delete(.ids(ids), until: soon)
        let left = try await spool.job()
        #expect(left.lost == 1 && left.failed == 0)
    }

    @Test func `deleteAfterUpload keeps pictures that another rule has not delivered, until that is removed`()
        async throws
    {
        let rules = [try upload(), try upload("other")]
        let spool = try await folder.open(folder.configuration(uploads: rules))
        let ids = try await spool.fill(0..<2).map(\.id)
        try await spool.record(spool.job("other"), failures: ids.map { .init($0, isFinal: true) })
        try await spool.record(spool.job(), done: [ids[0]], deletes: true)
        #expect(try folder.ids() == ids)
        spool.use(folder.configuration(uploads: [rules[0]]))
        try await spool.record(spool.job(), done: [ids[1]], deletes: true)
        #expect(try folder.ids() == [ids[0]])
    }

    @Test func `deleteAfterUpload deletes pictures that wait for nothing else and are not pinned`() async throws {
        let rules = [try upload(), try upload("other", "id:\(FrameID(at: noon))")]
        let spool = try await folder.open(folder.configuration(uploads: rules))
        let ids = try await spool.fill(0..<4).map(\.id)
        let (job, other) = (try await spool.job(), try await spool.addJob(order("id:\(ids[1])"), until: soon))
        _ = try await spool.change(FrameChange(.ids([ids[2]]), FrameEdit(pinned: true)), until: soon)
        #expect(try await spool.record(job, done: Array(ids.prefix(3)), deletes: true).lost == 0)
        #expect(try folder.ids() == Array(ids.dropFirst()))
        #expect(try folder.pictures() == folder.paths() && folder.sql("SELECT count(*) FROM tombstone") == ["1"])
        #expect(try await spool.record(other, done: [ids[1]], deletes: true).state == .done)
        #expect(try folder.ids() == [ids[2], ids[3]])
        #expect(try await spool.job().done == 3)
        #expect(try await spool.job().lost == 0)
    }
}
