// SPDX-License-Identifier: Apache-2.0
internal import Logging
package import TintypeModel
internal import TintypeSystem

/// Jobs of a spool.
///
/// All calls throw `spool-unavailable`, `deadline-exceeded` and `stopping`, and changes of a job `not-found`.
extension SpoolStore {
    /// Jobs of rules by name, then the others, newest first; ``Job/running`` is 0.
    ///
    /// Of those done or cancelled, the last ones up to `ended`.
    package func jobs(ended: Int = Job.mostEnded, until deadline: MonotonicTime) async throws(Problem) -> [Job] {
        try await step("list jobs", until: deadline) { _, jobs, now throws(Problem) in
            try jobs.all(ended: ended, at: now)
        }
    }

    /// Makes a job of the stored pictures that match, in steps between which stills are stored; without any, it is done.
    ///
    /// Its row comes last: interrupted before that, the job was never made.
    package func addJob(_ request: JobRequest, until deadline: MonotonicTime) async throws(Problem) -> Job {
        let (verb, filter) = ("make the job", request.filter.ofStillsUnlessAsked.resolved(at: clock.wall))
        return try await storage.inOneOpening(verb, until: deadline) { opening throws(Problem) in
            let id = Job.newID()
            do throws(Problem) {
                var last: FrameID?
                repeat {
                    last = try await storage.perform(verb, in: opening, until: deadline) {
                        [last] spool throws(Problem) in
                        try spool.insertDeliveries(of: id, filter, after: last)
                    }
                } while last != nil
                return try await storage.perform(verb, in: opening, until: deadline) { spool throws(Problem) in
                    try spool.insertJob(id, request)
                }
            } catch {
                storage.submit { slot in slot.spool?.catalog.ordered.remove(id) }
                storage.deleteAbandonedDeliveries()
                throw error
            }
        }
    }

    /// Options of a job by command, perhaps with secrets; nil for a rule, whose options are in the configuration.
    package func uploadOptions(
        ofJob id: String,
        until deadline: MonotonicTime
    ) async throws(Problem) -> UploadOptions? {
        try await step("look up the job", until: deadline) { _, jobs, _ throws(Problem) in
            let row = try jobs.row(id)
            return row.options == nil ? nil : try row.options(UploadOptions.self)
        }
    }

    /// Changes the state by ``JobState/next(after:)``; throws `configuration-conflict` for an event that it refuses.
    ///
    /// `cancel` also deletes what waits, and `retry` makes refused pictures wait again; `finish` ends a job without
    /// waiting pictures as done or failed, by its deliveries. A rule cannot be cancelled. `yield` only sets the error.
    package func changeJob(
        _ id: String,
        by event: JobState.Event,
        error: String? = nil,
        until deadline: MonotonicTime
    ) async throws(Problem) -> Job {
        let job = try await inSteps("change the job", until: deadline) { spool, jobs, now throws(Problem) -> Job? in
            let row = try jobs.row(id)
            let changed = try row.after(event, error: error, at: now)
            if event == .retry, try jobs.retryDeliveries(of: id) { return nil }
            if event == .finish { return try jobs.settle(id, at: now) }
            _ = try jobs.save(changed, at: now)
            if event == .cancel { _ = try spool.deleteAbandonedDeliveries() }
            if event == .cancel, row.kind != .upload { spool.removeFiles(ofVideo: id) }
            if event == .fail { spool.discard("\(spool.incoming)/\(id).video") }
            return try jobs.job(changed, at: now)
        }
        if event == .cancel { storage.deleteAbandonedDeliveries() }
        return job
    }

    /// Sets the priority; that of a rule lasts until the spool is opened again or the rules change.
    package func setPriority(
        _ priority: Int,
        ofJob id: String,
        until deadline: MonotonicTime
    ) async throws(Problem) -> Job {
        try await step("change the job", until: deadline) { _, jobs, now throws(Problem) in
            var row = try jobs.row(id)
            row.priority = priority
            return try jobs.save(row, at: now)
        }
    }

    /// Deletes a job by command that has ended; throws `configuration-conflict` for another.
    package func deleteJob(_ id: String, until deadline: MonotonicTime) async throws(Problem) {
        try await inSteps("delete the job", until: deadline) { spool, jobs, _ throws(Problem) -> Void? in
            let row = try jobs.row(id)
            guard row.rule == nil else { throw .isRule(row.job, "deleted") }
            guard row.endedAt != nil else {
                let remedy = "Cancel it first (tintype jobs cancel \(id))."
                throw row.conflict("is \(row.state.rawValue) and cannot be deleted.", remedy)
            }
            if try jobs.deleteFailedDeliveries(of: id) { return nil }
            try jobs.delete(id)
            if row.kind != .upload { spool.removeFiles(ofVideo: id) }
            return ()
        }
        storage.deleteAbandonedDeliveries()
    }

    /// Next pictures of a job to upload, in order of their ids: those that wait and whose next attempt is due.
    ///
    /// A picture whose file is lost is passed over, and its delivery fails until the file returns.
    package func nextBatch(
        ofJob id: String,
        order: FrameOrder,
        limit: Int,
        at now: Timestamp,
        until deadline: MonotonicTime
    ) async throws(Problem) -> [WorkPicture] {
        let verb = "read the next pictures of the job"
        return try await inSteps(verb, until: deadline) { spool, jobs, _ throws(Problem) -> [WorkPicture]? in
            let isRebuilding = spool.comparison.isRebuilding
            let rows = try jobs.nextBatch(of: id, order, limit: limit, isRebuilding: isRebuilding, at: now)
            return rows?.map { WorkPicture($0, in: spool.configuration) }
        }
    }

    /// Records results for the pictures that still wait, and returns the job; nil if there is none.
    ///
    /// Durable on return. A picture that failed waits for its next attempt, at most an hour, unless its failure is
    /// final. `deletes`: a delivered picture is deleted unless it is pinned or another job has not
    /// delivered it.
    package func recordDeliveries(
        ofJob id: String,
        done: [FrameID],
        failures: [WorkReport.Failure],
        deletes: Bool,
        at now: Timestamp,
        until deadline: MonotonicTime
    ) async throws(Problem) -> Job? {
        try await step("record deliveries", until: deadline) { spool, jobs, _ throws(Problem) -> Job? in
            guard let recorded = try jobs.record(done, failures, of: id, deletes: deletes, at: now) else { return nil }
            if let number = recorded.firstNumber { spool.retention.waiting.returnBefore(number) }
            guard !recorded.buried.isEmpty else { return recorded.job }
            for kept in try FrameDeletion(spool: spool).deleteBuried(recorded.buried) {
                spool.logger.warning("\(kept.error) The delivered picture is kept.")
            }
            return recorded.job
        }
    }

    /// Runs `work` on the storage thread, with the jobs and the time.
    func step<Value: Sendable>(
        _ verb: String,
        until deadline: MonotonicTime,
        _ work: @escaping @Sendable (OpenSpool, JobTable, Timestamp) throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        try await storage.perform(verb, until: deadline) { spool throws(Problem) in
            try work(spool, try spool.jobs(), spool.clock.wall)
        }
    }

    /// Repeats `work` until it returns a value; stills are stored in between.
    private func inSteps<Value: Sendable>(
        _ verb: String,
        until deadline: MonotonicTime,
        _ work: @escaping @Sendable (OpenSpool, JobTable, Timestamp) throws(Problem) -> Value?
    ) async throws(Problem) -> Value {
        while true {
            if let value = try await step(verb, until: deadline, work) { return value }
        }
    }
}

extension OpenSpool {
    /// The jobs, with those of the rules.
    fileprivate func jobs() throws(Problem) -> JobTable {
        try catalog.recountAfterForeignChange()
        try catalog.applyUploads()
        return jobTable
    }

    var jobTable: JobTable { JobTable(connection: catalog.connection, spool: configuration.name) }

    /// Applies the rules at the opening; on a full disk, the first change of the catalog does that.
    func applyUploads() throws(Problem) {
        do throws(Problem) {
            try catalog.applyUploads()
        } catch {
            guard files.judged(error, in: folder).code == .spoolFull else { throw error }
        }
    }

    func deleteAbandonedDeliveries() throws(Problem) -> Bool {
        guard try jobTable.deleteAbandonedDeliveries(except: catalog.ordered) else { return false }
        retention.waiting.returnBefore(.min)
        return true
    }

    /// One step of ``SpoolStore/addJob(_:until:)``; returns the id to continue after, nil at the end.
    fileprivate func insertDeliveries(
        of id: String,
        _ filter: FrameFilter,
        after last: FrameID?
    ) throws(Problem) -> FrameID? {
        catalog.ordered.insert(id)
        let size = SpoolStore.changeBatch
        let found = try catalog.lists.search(filter, order: .oldest, limit: size, after: last, within: .zero)
        try jobTable.insertDeliveries(of: id, found.rows.filter { !$0.isLost }.map(\.id))
        return found.end
    }

    fileprivate func insertJob(_ id: String, _ request: JobRequest) throws(Problem) -> Job {
        let (source, target) = ("\(request.filter)", request.options.publicTarget)
        let now = clock.wall
        var job = Job(id: id, rule: nil, spool: "", source: source, target: target, createdAt: now)
        job.priority = request.priority
        _ = try jobTable.save(JobRow(job, encoding: request.options), at: now)
        catalog.ordered.remove(id)
        return try jobTable.settle(id, at: now)
    }
}

extension WorkPicture {
    fileprivate init(_ row: FrameRow, in spool: SpoolStore.Configuration) {
        self.init(
            id: row.id,
            camera: row.camera,
            path: String(row.path.dropFirst(row.camera.count + 1)),
            bytes: row.bytes,
            capturedAt: row.capturedAt
        )
        record = row.frameRecord(in: spool.folder, named: spool.name)
    }
}
