// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TintypeAPI
import TintypeModel

/// One job, and one batch with the frame ``Samples/id``; logs its calls.
struct FakeJobs: JobService {
    enum Call: Hashable, Sendable {
        case add(JobRequest)
        case change(String, JobState.Event)
        case priority(Int)
        case delete(String)
        case connect(String)
        case film(FilmRequest)
        case file(FrameID, String)
        case pictures(String, FrameCursor?)
        case recording(String)
        case part([UInt8], Int, String)
    }

    static let job: Job = {
        let time = Timestamp(microseconds: 1_000_000)
        var job = Job(id: "k3v9qa2m", rule: "cloud", spool: "default", source: "all()", target: "s3:a", createdAt: time)
        (job.waiting, job.running, job.state, job.error) = (3, 2, .running, "It was refused.")
        return job
    }()

    /// In place of ``FakeJobs/job``.
    var job = FakeJobs.job
    var log = CallLog<Call>()
    let session = FakeSession()
    let reports = CallLog<WorkReport>()
    /// Error thrown by every call that can throw.
    var failure: Problem?
    var reasons: [HealthReason] = []

    private func named(_ name: String) throws(Problem) -> Job {
        if let failure { throw failure }
        guard name == Self.job.id else { throw .noJob(name) }
        return job
    }

    func jobs() async throws(Problem) -> JobList {
        JobList(jobs: [try named(Self.job.id)], worker: true, unavailable: ["usb"])
    }

    func job(_ name: String) async throws(Problem) -> Job { try named(name) }

    func add(_ request: JobRequest) async throws(Problem) -> Job {
        log.add(.add(request))
        return try named(Self.job.id)
    }

    func addFilm(_ request: FilmRequest) async throws(Problem) -> Job {
        log.add(.film(request))
        return try named(Self.job.id)
    }

    func change(
        _ name: String,
        by event: JobState.Event,
        if permit: (Job) throws(Problem) -> Void
    ) async throws(Problem) -> Job {
        let job = try named(name)
        try permit(job)
        log.add(.change(name, event))
        return job
    }

    func setPriority(_ priority: Int, of name: String) async throws(Problem) -> Job {
        log.add(.priority(priority))
        return try named(name)
    }

    func delete(_ name: String) async throws(Problem) {
        log.add(.delete(name))
        _ = try named(name)
    }

    func conditions() -> [HealthReason] { reasons }

    func connect(_ client: String) throws(Problem) -> any WorkSession {
        log.add(.connect(client))
        if let failure { throw failure }
        return session
    }

    func file(of frame: FrameID, in batch: String) async throws(Problem) -> StoredFile {
        log.add(.file(frame, batch))
        if let failure { throw failure }
        return StoredFile(mediaType: "image/jpeg", [1, 2, 3])
    }

    func pictures(of batch: String, after cursor: FrameCursor?) async throws(Problem) -> FramePage {
        log.add(.pictures(batch, cursor))
        if let failure { throw failure }
        let frame = Samples.frame(Samples.still(kept: true).record)
        return FramePage(frames: [frame], next: FrameCursor(.oldest, after: Samples.id))
    }

    func recording(of batch: String) async throws(Problem) -> StoredFile {
        log.add(.recording(batch))
        if let failure { throw failure }
        return StoredFile(mediaType: "application/octet-stream", Array(0..<100))
    }

    func receive(_ bytes: [UInt8], at offset: Int, of batch: String) async throws(Problem) {
        log.add(.part(bytes, offset, batch))
        if let failure { throw failure }
    }

    func report(_ report: WorkReport, on batch: String) async throws(Problem) {
        if let failure { throw failure }
        reports.add(report)
    }
}

/// Gives its orders, then waits for the end of its task unless it has `ends`.
final class FakeSession: WorkSession {
    let orders = Mutex<[WorkOrder]>([WorkOrder(.idle)])
    let ends = Mutex(true)
    private let isEnded = Mutex(false)

    var hasEnded: Bool { isEnded.withLock { $0 } }

    func next() async -> WorkOrder? {
        if let order = orders.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return order }
        guard !ends.withLock(\.self) else { return nil }
        let (never, end) = AsyncStream.makeStream(of: Never.self)
        for await _ in never {}
        end.finish()
        return nil
    }

    func end() { isEnded.withLock { $0 = true } }
}
