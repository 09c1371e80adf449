// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import TintypeModel
internal import TintypeSpool
internal import TintypeSystem

/// Gives the worker the pictures of uploads, in batches, and films and clips to make; adds the films of schedules.
///
/// Each spool has a task of its own, so one that does not answer holds up no other. It looks at its spool each second,
/// each minute without a worker; without open jobs, only after a change.
final class JobScheduler: Service {
    let stores: [any JobStore]
    let recordings: (any ClipRecordings)?
    let clock: any MonotonicClock
    let board: Mutex<JobBoard>
    /// Wakes the task that waits for orders.
    let orderWaker: TaskWaker
    /// Wakes the task that adds films.
    let filmWaker: TaskWaker
    let logger: Logger
    private let journal: EventJournal
    private let wakers: [String: TaskWaker]

    init(
        _ configuration: DaemonConfiguration,
        stores: [any JobStore],
        recordings: (any ClipRecordings)? = nil,
        journal: EventJournal,
        clock: any MonotonicClock,
        logger: Logger
    ) {
        (self.stores, self.recordings, self.journal) = (stores, recordings, journal)
        (self.clock, self.logger) = (clock, logger)
        board = Mutex(JobBoard(configuration, spools: stores.map(\.name), recordings))
        (orderWaker, filmWaker) = (TaskWaker(clock: clock), TaskWaker(clock: clock))
        wakers = Dictionary(uniqueKeysWithValues: stores.map { ($0.name, TaskWaker(clock: clock)) })
    }

    /// Until graceful shutdown, which ends the worker's reply.
    func run() async {
        await cancelWhenGracefulShutdown { [self] in
            await withDiscardingTaskGroup { group in
                for store in stores { group.addTask { await self.watch(store) } }
                group.addTask { await self.addFilms() }
            }
        }
        disconnect(nil)
    }

    func tell(_ event: Event) { journal.append(event) }

    /// Adopts a configuration that the spools have; a failed rule with other options starts again.
    func apply(_ configuration: DaemonConfiguration) {
        change { board, now in
            let changed = configuration.uploads.filter { new in
                board.uploads.contains { $0.name == new.name && $0.options != new.options }
            }
            for name in board.views.keys { board.views[name]?.retried.formUnion(changed.map(\.name)) }
            (board.uploads, board.settings) = (configuration.uploads, configuration.jobs)
            board.cameras = configuration.cameras
            board.stopBatches(now)
        }
        wake()
        filmWaker.wake()
    }

    /// Changes the board, and wakes the task that waits for orders.
    func change<Value: Sendable>(_ change: (inout sending JobBoard, Now) -> sending Value) -> Value {
        let now = Now(clock)
        defer { orderWaker.wake() }
        return board.withLock { change(&$0, now) }
    }

    /// Lets all spools be looked at now.
    func wake() { for waker in wakers.values { waker.wake() } }

    private func watch(_ store: any JobStore) async {
        guard let waker = wakers[store.name] else { return }
        await withDiscardingTaskGroup { videos in
            while !Task.isCancelled {
                await look(at: store, &videos)
                await waker.sleep(until: board.withLock { $0.pause(of: store.name) }.map { clock.now + $0 })
            }
        }
    }

    /// Reads the jobs of a spool, anew if one of them changes meanwhile, and appends their events.
    func read(_ store: any JobStore, ended: Int, until deadline: MonotonicTime) async throws(Problem) -> [Job] {
        while true {
            let before = board.withLock { $0.views[store.name] }
            let jobs = try await store.jobs(ended: ended, until: deadline)
            let events = change { board, now in board.update(store.name, jobs, since: before?.changes, now) }
            guard let events else { continue }
            if before?.isLate == true {
                logger.notice("the jobs of a spool are read again", metadata: ["spool": "\(store.name)"])
            }
            for event in events { tell(event) }
            return jobs
        }
    }

    /// Reads the jobs of a spool, and claims batches while there are places; those of films and clips, whose recordings
    /// are read, in tasks of their own.
    private func look(at store: any JobStore, _ videos: inout DiscardingTaskGroup) async {
        do throws(Problem) {
            _ = try await read(store, ended: 0, until: deadline)
            try await settle(store)
            // One moment for all, so that what is not due yet is due at a later one.
            let now = Now(clock)
            while let job = board.withLock({ $0.reserve(in: store.name, now) }) {
                if job.kind == .upload {
                    try await claim(job, of: store)
                } else {
                    videos.addTask { try? await self.claim(job, of: store) }
                }
            }
        } catch {
            guard !Task.isCancelled else { return }
            let isFirst = board.withLock { $0.views[store.name]?.isLate == false }
            board.withLock { $0.views[store.name]?.isLate = true }
            let text: Logger.Message = "the jobs of a spool cannot be read: \(error)"
            logger.log(level: isFirst ? .warning : .debug, text, metadata: ["spool": "\(store.name)"])
        }
    }

    private func settle(_ store: any JobStore) async throws(Problem) {
        for (job, event) in board.withLock({ $0.overdue(in: store.name) }) {
            do throws(Problem) {
                let changed = try await store.changeJob(job.id, by: event, error: nil, until: deadline)
                change { board, now in
                    board.replace(changed, now)
                    if let rule = job.rule { board.views[store.name]?.retried.remove(rule) }
                }
                tellEnd(of: changed)
            } catch {
                // A command has changed or deleted it since the look.
                guard [.configurationConflict, .notFound].contains(error.code) else { throw error }
            }
        }
    }

    func tellEnd(of job: Job?, pictures: Int? = nil) {
        guard let job, [.done, .failed].contains(job.state) else { return }
        tell(job.state == .done ? .done(job, pictures: pictures) : .failed(job, because: job.error))
    }

    /// Reads a batch of a job whose place is taken, and orders it.
    private func claim(_ job: Job, of store: any JobStore) async throws(Problem) {
        var (order, failure): (WorkOrder?, Problem?)
        do throws(Problem) { order = try await self.order(for: job, of: store) } catch { failure = error }
        change { [order] board, now in
            // Under the lock: the worker cannot have the order yet, and report its end.
            if board.begin(job, order, now) { tell(.began(job, pictures: order?.video?.pictures)) }
        }
        // It was deleted since the look.
        guard let failure, failure.code != .notFound else { return }
        guard job.kind != .upload else { throw failure }
        let failed = await fail(job, failure, in: store)
        change { board, now in
            if let failed { return board.replace(failed, now) }
            board.pauses[job.id, default: JobPause()].add("\(failure)", at: now.time)
        }
        tellEnd(of: failed)
    }

    /// Fails a film or clip for which another attempt is useless; nil for one that may succeed.
    func fail(_ job: Job, _ problem: Problem, in store: any JobStore) async -> Job? {
        guard problem.code == .configurationConflict else { return nil }
        return try? await store.changeJob(job.id, by: .fail, error: "\(problem)", until: deadline)
    }

    /// Nil if there is nothing to do.
    private func order(for job: Job, of store: any JobStore) async throws(Problem) -> WorkOrder? {
        var order = WorkOrder(.begin)
        guard job.kind == .upload else {
            order.video = try await store.videoOrder(ofJob: job.id, until: longDeadline)
            return order
        }
        order.upload =
            if job.rule == nil {
                try await store.uploadOptions(ofJob: job.id, until: deadline)
            } else {
                board.withLock { $0.rule(of: job)?.options }
            }
        guard let upload = order.upload else { return nil }
        let passed = board.withLock { $0.pauses[job.id]?.passed ?? [] }
        let next = try await store.nextBatch(
            ofJob: job.id,
            order: upload.order,
            limit: WorkOrder.batchSize + passed.count,
            at: clock.wall,
            until: deadline
        )
        let others = next.filter { !passed.contains($0.id) }
        order.pictures = Array((others.isEmpty ? next : others).prefix(WorkOrder.batchSize))
        return next.isEmpty ? nil : order
    }
}

/// A spool as used by ``JobScheduler``; each call returns by its deadline, even if the disk hangs.
protocol JobStore: Sendable {
    var name: String { get }

    /// Of the jobs that are done or cancelled, the last ones up to `ended`.
    func jobs(ended: Int, until deadline: MonotonicTime) async throws(Problem) -> [Job]
    func addJob(_ request: JobRequest, until deadline: MonotonicTime) async throws(Problem) -> Job
    /// `finish` ends a job without waiting pictures as done, or failed if a picture was not delivered.
    func changeJob(
        _ id: String,
        by event: JobState.Event,
        error: String?,
        until deadline: MonotonicTime
    ) async throws(Problem) -> Job
    func setPriority(_ priority: Int, ofJob id: String, until deadline: MonotonicTime) async throws(Problem) -> Job
    func deleteJob(_ id: String, until deadline: MonotonicTime) async throws(Problem)
    /// Options of a job that was asked for; nil for a rule.
    func uploadOptions(ofJob id: String, until deadline: MonotonicTime) async throws(Problem) -> UploadOptions?
    func nextBatch(
        ofJob id: String,
        order: FrameOrder,
        limit: Int,
        at now: Timestamp,
        until deadline: MonotonicTime
    ) async throws(Problem) -> [WorkPicture]
    func recordDeliveries(
        ofJob id: String,
        done: [FrameID],
        failures: [WorkReport.Failure],
        deletes: Bool,
        at now: Timestamp,
        until deadline: MonotonicTime
    ) async throws(Problem) -> Job?
    func file(of id: FrameID, until deadline: MonotonicTime) async throws(Problem) -> StoredFile
    func frames(_ query: FrameQuery, until deadline: MonotonicTime) async throws(Problem) -> FramePage

    /// With an id that a job has, returns that job.
    func addFilm(_ request: FilmRequest, id: String?, until deadline: MonotonicTime) async throws(Problem) -> Job
    func videoOrder(ofJob id: String, until deadline: MonotonicTime) async throws(Problem) -> VideoOrder
    /// Pictures of a film, oldest first.
    func videoPictures(ofJob id: String, after: FrameCursor?, until: MonotonicTime) async throws(Problem) -> FramePage
    func recording(ofJob id: String, until deadline: MonotonicTime) async throws(Problem) -> StoredFile
    /// Writes the next part of a finished film or clip; offset 0 begins anew.
    func receive(_ bytes: [UInt8], at offset: Int, ofVideo job: String, until end: MonotonicTime) async throws(Problem)
    /// Stores the received film or clip as a frame; durable on return, as is the end of the job.
    func storeVideo(
        ofJob id: String,
        _ result: VideoResult,
        of pictures: FilmPictures,
        until deadline: MonotonicTime
    ) async throws(Problem) -> Job
}

extension SpoolStore: JobStore {}

/// Clips that are being recorded; any thread, and never waits for ``JobScheduler``.
protocol ClipRecordings: Sendable {
    /// True until the recording of the clip of this job is over and its file closed.
    func isActive(_ id: String) -> Bool
    /// Applies `pause`, `resume` or `cancel`; no effect on a recording that is over.
    func apply(_ event: JobState.Event, _ id: String)
    /// Part of the time that is recorded, from 0 to 1; nil if it is over.
    func progress(_ id: String) -> Double?
}
