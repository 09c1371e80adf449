// SPDX-License-Identifier: Apache-2.0
internal import CoreMetrics
internal import Synchronization
internal import TintypeAPI
internal import TintypeModel
internal import TintypeSystem

extension JobScheduler: JobService {
    /// Of one call of a spool.
    var deadline: MonotonicTime { clock.now + .seconds(10) }
    /// Of adding a job, possibly one of all pictures of a large spool, and of storing a large film.
    var longDeadline: MonotonicTime { clock.now + .seconds(600) }

    // MARK: - Jobs

    func jobs() async throws(Problem) -> JobList {
        let (jobs, failures) = await refresh()
        if let failure = failures.first?.problem, failures.count == stores.count { throw failure }
        let unavailable = failures.isEmpty ? nil : failures.map(\.spool)
        let sorted = jobs.map(shown).sorted { one, other in
            if let rule = one.rule, let second = other.rule { return (rule, one.spool) < (second, other.spool) }
            return one.rule != nil || other.rule == nil && one.createdAt > other.createdAt
        }
        return JobList(jobs: sorted, worker: board.withLock { $0.worker != nil }, unavailable: unavailable)
    }

    /// As of the last looks.
    var known: [Job] {
        let now = Now(clock)
        return board.withLock { board in board.jobs.map { board.shown($0, now) } }
    }

    func job(_ name: String) async throws(Problem) -> Job { shown(try await find(name).job) }

    func add(_ request: JobRequest) async throws(Problem) -> Job {
        let store = try store(named: request.spool)
        let job = try await store.addJob(request, until: longDeadline)
        wake()
        return job
    }

    func change(
        _ name: String,
        by event: JobState.Event,
        if permit: (Job) throws(Problem) -> Void = { _ in }
    ) async throws(Problem) -> Job {
        let (store, found) = try await find(name)
        try permit(found)
        let job = try await store.changeJob(found.id, by: event, error: nil, until: deadline)
        recordings?.apply(event, found.id)
        change { board, now in
            // A command ends the pause after failed attempts.
            board.pauses[job.id] = nil
            board.replace(job, now)
        }
        wake()
        return shown(job)
    }

    func setPriority(_ priority: Int, of name: String) async throws(Problem) -> Job {
        let (store, found) = try await find(name)
        let job = try await store.setPriority(priority, ofJob: found.id, until: deadline)
        change { board, now in board.replace(job, now) }
        wake()
        return shown(job)
    }

    func delete(_ name: String) async throws(Problem) {
        let (store, found) = try await find(name)
        try await store.deleteJob(found.id, until: deadline)
        wake()
    }

    func conditions() -> [HealthReason] {
        let now = Now(clock)
        return board.withLock { $0.reasons(now) }
    }

    private func shown(_ job: Job) -> Job {
        let now = Now(clock)
        return board.withLock { $0.shown(job, now) }
    }

    func store(named name: String?) throws(Problem) -> any JobStore {
        let names = stores.map(\.name)
        guard !stores.isEmpty else {
            let remedy = "Ask the tintyped that runs as a service."
            throw Problem(.spoolUnavailable, "This tintyped was started without a spool.", remedy: remedy)
        }
        guard let name else {
            if stores.count == 1 { return stores[0] }
            throw .invalid(field: "spool", "is missing.", remedy: "Give one of \(names.joined(separator: ", ")).")
        }
        if let store = stores.first(where: { $0.name == name }) { return store }
        throw .noSpool(name, among: names)
    }

    private func find(_ name: String) async throws(Problem) -> (store: any JobStore, job: Job) {
        let (jobs, failures) = await refresh()
        if let job = try Self.job(name, among: jobs) { return (try store(named: job.spool), job) }
        throw failures.first?.problem ?? .noJob(name)
    }

    private static func job(_ name: String, among jobs: [Job]) throws(Problem) -> Job? {
        if let job = jobs.first(where: { $0.id == name }) { return job }
        let ofRule = jobs.filter { $0.rule == name }
        guard ofRule.count > 1 else { return ofRule.first }
        let ids = ofRule.map { "\($0.id) (spool \($0.spool))" }.joined(separator: ", ")
        throw .invalid(field: "job", "names the jobs of several spools.", remedy: "Give an id: \(ids).")
    }

    /// Looks at all spools, for a second at most; ordered by the names of spools, of which one that fails has its jobs
    /// as before.
    private func refresh() async -> (jobs: [Job], failures: [(spool: String, problem: Problem)]) {
        await withTaskGroup(of: (spool: String, jobs: [Job], problem: Problem?).self) { group in
            for store in stores {
                group.addTask { [self] in
                    do throws(Problem) {
                        let end = clock.now + .seconds(1)
                        return (store.name, try await read(store, ended: Job.mostEnded, until: end), nil)
                    } catch { return (store.name, board.withLock { $0.views[store.name]?.jobs ?? [] }, error) }
                }
            }
            let looks = await group.reduce(into: []) { $0.append($1) }.sorted { $0.spool < $1.spool }
            return (looks.flatMap(\.jobs), looks.compactMap { look in look.problem.map { (look.spool, $0) } })
        }
    }

    // MARK: - The worker

    func file(of frame: FrameID, in batch: String) async throws(Problem) -> StoredFile {
        let (_, store) = try claimed(batch) { $0.pictures[frame] != nil }
        return try await store.file(of: frame, until: deadline)
    }

    /// A batch that `fits` and was not ordered to stop, and the spool of its job.
    func claimed(_ id: String, _ fits: (JobBoard.Batch) -> Bool) throws(Problem) -> (JobBoard.Batch, any JobStore) {
        let now = Now(clock)
        guard let batch = board.withLock({ $0.batch(id, at: now) }), batch.stopped == nil, fits(batch) else {
            throw .noBatch(id)
        }
        return (batch, try store(named: batch.job.spool))
    }

    func report(_ report: WorkReport, on batch: String) async throws(Problem) {
        let now = Now(clock)
        guard let claimed = board.withLock({ $0.batch(batch, at: now) }) else { throw .noBatch(batch) }
        let isStopped = claimed.stopped != nil
        guard !isStopped || report.isOver else { throw .noBatch(batch) }
        let store = try store(named: claimed.job.spool)
        var report = report
        if claimed.video == nil || isStopped || !report.isOver { report.video = nil }
        report.done = report.done.filter(claimed.rest.contains)
        // Failures without a later success are first taken for those of the target: the pictures keep their places.
        let attempts = board.withLock { $0.pauses[claimed.job.id]?.attempts ?? 0 }
        let isOfTarget = report.isOver && report.done.isEmpty && attempts < JobPause.patience
        report.failures =
            isStopped ? [] : report.failures.filter { claimed.rest.contains($0.id) && ($0.isFinal || !isOfTarget) }
        var job: Job?
        if !report.done.isEmpty || !report.failures.isEmpty {
            job = try await store.recordDeliveries(
                ofJob: claimed.job.id,
                done: report.done,
                failures: report.failures,
                deletes: claimed.deletes,
                at: clock.wall,
                until: deadline
            )
        }
        var failure: Problem?
        if let video = report.video {
            guard board.withLock({ $0.storing.insert(claimed.job.id).inserted }) else { throw .noBatch(batch) }
            do throws(Problem) {
                job = try await store.storeVideo(ofJob: claimed.job.id, video, of: claimed.read, until: longDeadline)
            } catch {
                (failure, job) = (error, await fail(claimed.job, error, in: store))
                (report.video, report.error, report.isFatal) = (nil, "\(error)", job != nil)
            }
        } else if report.isFatal, !isStopped {
            // A command may have paused or cancelled it meanwhile.
            let failed = try? await store.changeJob(claimed.job.id, by: .fail, error: report.error, until: deadline)
            job = failed ?? job
        }
        note(report, on: claimed, job)
        if let failure { throw failure }
    }

    /// Notes a report whose results are stored, with the event of the end of its job.
    private func note(_ report: WorkReport, on claimed: JobBoard.Batch, _ job: Job?) {
        let id = claimed.job.id
        let attempts = change { [report] board, now -> Int? in
            let batch = board.note(report, on: claimed.id)
            if report.isOver { board.storing.remove(id) }
            // Later, since a job that has ended stops its batch.
            if let job { board.replace(job, now) }
            // Under the lock: no other job has its place yet.
            tellEnd(of: job, pictures: report.video?.pictures)
            guard let batch, report.isOver, batch.stopped == nil, !batch.hasSuccess, !report.isFatal else { return nil }
            let error = report.error ?? report.failures.last?.error
            board.pauses[id, default: JobPause()].add(error, at: now.time)
            board.pauses[id]?.pass(over: report.failures.filter { !$0.isFinal }.map(\.id))
            return board.pauses[id]?.attempts
        }
        let final = report.failures.count(where: \.isFinal)
        count(final, "refused", of: claimed.job)
        count(report.failures.count - final, "picture", of: claimed.job)
        if let attempts {
            count(1, "batch", of: claimed.job)
            if attempts == 1, claimed.job.rule != nil {
                tell(.failed(claimed.job, because: report.error ?? report.failures.last?.error))
            }
        }
        if report.isFatal, job?.state == .failed { count(1, "fatal", of: claimed.job) }
        if report.isOver { wake() }
    }

    private func count(_ failures: Int, _ reason: String, of job: Job) {
        guard failures > 0 else { return }
        let labels = [("upload", job.label), ("reason", reason)]
        Counter(label: MetricName.jobFailures.rawValue, dimensions: labels).increment(by: Int64(failures))
    }
}

extension Problem {
    static func noBatch(_ id: String) -> Problem {
        let remedy = "Stop it: its pictures wait for another attempt."
        return Problem(.notFound, "The batch “\(id)” is not claimed, or does not have this picture.", remedy: remedy)
    }
}
