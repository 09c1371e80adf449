// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import TintypeModel

@testable import tintyped

/// Jobs in memory, with the states and counts of a spool; fails or hangs on demand.
final class FakeJobStore: JobStore {
    struct Entry {
        var job: Job
        var options: UploadOptions?
        /// Pictures that wait.
        var pictures: [WorkPicture] = []
        /// Those of them that are not due, as without their files.
        var held: Set<FrameID> = []
        /// Numbers of failed attempts.
        var attempts: [FrameID: Int] = [:]
        /// Order of a film or clip.
        var video: VideoOrder?
        var received: [UInt8] = []
        var result: VideoResult?
        var read: FilmPictures?
    }

    let name: String
    let entries = Mutex<[String: Entry]>([:])
    /// Number of calls of ``jobs(ended:until:)``.
    let looks = Mutex(0)
    let failure = Mutex<Problem?>(nil)
    /// While this is set, a call waits for its deadline by this clock, as for a dead disk.
    let hangs = Mutex<TestClock?>(nil)

    /// Awaited by ``jobs(ended:until:)`` before it returns what it has read.
    let looking = Mutex<@Sendable () async -> Void>({})

    /// Stored frames, and requests of films.
    let kept = Mutex<[FrameRecord]>([])
    let films = Mutex<[FilmRequest]>([])
    /// Errors of the order of a film or clip, and of storing one.
    let orderFailure = Mutex<Problem?>(nil)
    let refusal = Mutex<Problem?>(nil)
    /// Films with ids are refused.
    let isRebuilding = Mutex(false)
    /// The first page of frames is empty, with a next one.
    let isSlow = Mutex(false)
    /// Awaited before the order of a film or clip is read, and before one is stored.
    let reading = Mutex<@Sendable () async -> Void>({})
    let storing = Mutex<@Sendable () async -> Void>({})

    /// Number of calls of ``recording(ofJob:until:)``.
    let recordings = Mutex(0)

    var requests: [FilmRequest] { films.withLock { $0 } }

    init(_ name: String = "default") { self.name = name }

    /// Adds a job with so many pictures, of a rule or with options of its own, or of a film or clip.
    @discardableResult
    func add(
        _ id: String,
        rule: String? = nil,
        pictures: Int,
        options: UploadOptions? = nil,
        video: VideoOrder? = nil,
        _ change: (inout Job) -> Void = { _ in }
    ) -> Job {
        let time = Timestamp(microseconds: 1_000_000)
        var job = Job(id: id, rule: rule, spool: name, source: "all()", target: "s3:b", createdAt: time)
        change(&job)
        let options = rule == nil ? options ?? UploadOptions(to: "s3:b/{id}") : nil
        // In one step: a job without pictures is done at the next look.
        let entry = Entry(job: job, options: options, pictures: Self.pictures(pictures), video: video)
        entries.withLock { $0[id] = entry }
        return job
    }

    /// Makes further pictures wait.
    func store(_ count: Int, for id: String, at time: Timestamp = TestClock().wall) {
        entries.withLock { $0[id]?.pictures += Self.pictures(count, at: time) }
    }

    private static func pictures(_ count: Int, at time: Timestamp = TestClock().wall) -> [WorkPicture] {
        (0..<count).map { _ in
            WorkPicture(id: FrameID(at: time), camera: "yard", path: "a.jpg", bytes: 10, capturedAt: time)
        }
    }

    func job(_ id: String) -> Job? { entries.withLock { $0[id].map(Self.counted) } }

    private static func counted(_ entry: Entry) -> Job {
        var job = entry.job
        guard job.kind == .upload else {
            job.waiting = [.pending, .paused, .failed].contains(job.state) ? 1 : 0
            return job
        }
        job.waiting = entry.pictures.count
        job.oldest = entry.pictures.first?.capturedAt
        return job
    }

    func answer(until deadline: MonotonicTime) async throws(Problem) {
        if let failure = failure.withLock({ $0 }) { throw failure }
        guard let clock = hangs.withLock({ $0 }) else { return }
        try? await clock.sleep(until: deadline)
        throw FakeStore.late
    }

    /// The entry after `change`.
    func changed(_ id: String, _ change: (inout Entry) throws(Problem) -> Void) throws(Problem) -> Job {
        let result = entries.withLock { entries -> Result<Job, Problem> in
            guard var entry = entries[id] else { return .failure(.noJob(id)) }
            do throws(Problem) { try change(&entry) } catch { return .failure(error) }
            entries[id] = entry
            return .success(Self.counted(entry))
        }
        return try result.get()
    }

    func jobs(ended: Int, until deadline: MonotonicTime) async throws(Problem) -> [Job] {
        looks.withLock { $0 += 1 }
        try await answer(until: deadline)
        let all = entries.withLock { $0.values.map(Self.counted) }
        let over = all.filter { $0.rule == nil && !$0.state.isOpen }.sorted { $0.createdAt > $1.createdAt }
        await looking.withLock { $0 }()
        return all.filter { $0.rule != nil || $0.state.isOpen } + over.prefix(ended)
    }

    func addJob(_ request: JobRequest, until deadline: MonotonicTime) async throws(Problem) -> Job {
        try await answer(until: deadline)
        return add("added", pictures: 2, options: request.options)
    }

    func changeJob(
        _ id: String,
        by event: JobState.Event,
        error: String?,
        until deadline: MonotonicTime
    ) async throws(Problem) -> Job {
        try await answer(until: deadline)
        return try changed(id) { entry throws(Problem) in
            var (event, error) = (event, error)
            if event == .finish, entry.job.failed + entry.job.lost > 0 { (event, error) = (.fail, "1 was deleted.") }
            if event == .cancel, entry.job.rule != nil { throw .isRule(entry.job, "cancelled") }
            guard let state = entry.job.state.next(after: event) else {
                throw Problem(.configurationConflict, "It is \(entry.job.state).", remedy: "Wait.")
            }
            (entry.job.state, entry.job.error) = (state, error)
            if state == .cancelled { entry.pictures = [] }
        }
    }

    func setPriority(_ priority: Int, ofJob id: String, until deadline: MonotonicTime) async throws(Problem) -> Job {
        try changed(id) { $0.job.priority = priority }
    }

    func deleteJob(_ id: String, until deadline: MonotonicTime) async throws(Problem) {
        _ = try changed(id) { entry throws(Problem) in
            if entry.job.rule != nil { throw .isRule(entry.job, "deleted") }
        }
        entries.withLock { $0[id] = nil }
    }

    func uploadOptions(ofJob id: String, until deadline: MonotonicTime) async throws(Problem) -> UploadOptions? {
        entries.withLock { $0[id]?.options }
    }

    func nextBatch(
        ofJob id: String,
        order: FrameOrder,
        limit: Int,
        at now: Timestamp,
        until deadline: MonotonicTime
    ) async throws(Problem) -> [WorkPicture] {
        try await answer(until: deadline)
        return entries.withLock { entries in
            guard let entry = entries[id] else { return [] }
            return Array(entry.pictures.filter { !entry.held.contains($0.id) }.prefix(limit))
        }
    }

    func recordDeliveries(
        ofJob id: String,
        done: [FrameID],
        failures: [WorkReport.Failure],
        deletes: Bool,
        at now: Timestamp,
        until deadline: MonotonicTime
    ) async throws(Problem) -> Job? {
        try await answer(until: deadline)
        return try changed(id) { entry throws(Problem) in
            let final = failures.filter(\.isFinal).map(\.id)
            entry.job.done += done.count
            entry.job.failed += final.count
            for failure in failures where !failure.isFinal { entry.attempts[failure.id, default: 0] += 1 }
            entry.pictures.removeAll { done.contains($0.id) || final.contains($0.id) }
            guard entry.job.rule == nil, entry.pictures.isEmpty else { return }
            entry.job.state = entry.job.failed > 0 ? .failed : .done
        }
    }

    func file(of id: FrameID, until deadline: MonotonicTime) async throws(Problem) -> StoredFile {
        try await answer(until: deadline)
        return StoredFile(mediaType: "image/jpeg", Array("\(id)".utf8))
    }
}
