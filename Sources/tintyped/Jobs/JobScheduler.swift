// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// Gives the pictures of jobs to the worker, in batches.
///
/// Each spool has a task of its own, so one that does not answer holds up no other. It looks at its spool each second, each
/// minute without a worker; without open jobs, only after a change.
final class JobScheduler: Service {
    /// Time limit of one call of a spool; that of adding a job, possibly one of all pictures, is longer.
    static let timeLimit = Duration.seconds(10)

    let stores: [any JobStore]
    let clock: any MonotonicClock
    let board: Mutex<JobBoard>
    /// Wakes the task that waits for orders.
    let orderWaker: TaskWaker
    private let journal: EventJournal
    private let logger: Logger
    private let wakers: [String: TaskWaker]

    init(
        _ configuration: DaemonConfiguration,
        stores: [any JobStore],
        journal: EventJournal,
        clock: any MonotonicClock,
        logger: Logger
    ) {
        (self.stores, self.journal, self.clock, self.logger) = (stores, journal, clock, logger)
        board = Mutex(JobBoard(configuration, spools: stores.map(\.name)))
        orderWaker = TaskWaker(clock: clock)
        wakers = Dictionary(uniqueKeysWithValues: stores.map { ($0.name, TaskWaker(clock: clock)) })
    }

    /// Until graceful shutdown, which ends the worker's reply.
    func run() async {
        await cancelWhenGracefulShutdown { [self] in
            await withDiscardingTaskGroup { group in
                for store in stores { group.addTask { await self.watch(store) } }
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
            (board.uploads, board.settings) = (configuration.uploads, configuration.jobs)
            for name in board.views.keys { board.views[name]?.retried.formUnion(changed.map(\.name)) }
            board.stopBatches(now)
        }
        wake()
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
        while !Task.isCancelled {
            await look(at: store)
            await waker.sleep(until: board.withLock { $0.pause(of: store.name) }.map { clock.now + $0 })
        }
    }

    /// Reads the jobs of a spool, and appends their events.
    func read(_ store: any JobStore, within limit: Duration = timeLimit) async throws(Problem) {
        let jobs = try await store.jobs(until: clock.now + limit)
        let wasLate = board.withLock { $0.views[store.name]?.isLate ?? false }
        if wasLate { logger.notice("the jobs of a spool are read again", metadata: ["spool": "\(store.name)"]) }
        for event in change({ board, now in board.update(store.name, jobs, now) }) { tell(event) }
    }

    /// Reads the jobs of a spool, and claims batches while there are places.
    private func look(at store: any JobStore) async {
        do throws(Problem) {
            try await read(store)
            try await settle(store)
            // One moment for all, so that what is not due yet is due at a later one.
            let now = Now(clock)
            while let job = reserve(in: store.name, now) { try await claim(job, of: store) }
        } catch {
            guard !Task.isCancelled else { return }
            let isFirst = board.withLock { $0.views[store.name]?.isLate == false }
            board.withLock { $0.views[store.name]?.isLate = true }
            let text: Logger.Message = "the jobs of a spool cannot be read: \(error)"
            logger.log(level: isFirst ? .warning : .debug, text, metadata: ["spool": "\(store.name)"])
        }
    }

    private func reserve(in spool: String, _ now: Now) -> Job? { board.withLock { $0.reserve(in: spool, now) } }

    private func settle(_ store: any JobStore) async throws(Problem) {
        for (job, event) in board.withLock({ $0.overdue(in: store.name) }) {
            let changed = try await store.changeJob(job.id, by: event, error: nil, until: clock.now + Self.timeLimit)
            change { board, now in
                board.replace(changed, now)
                if let rule = job.rule { board.views[store.name]?.retried.remove(rule) }
            }
            tellEnd(of: changed)
        }
    }

    func tellEnd(of job: Job?) {
        guard let job else { return }
        if job.state == .done {
            tell(.done(job))
        } else if job.state == .failed {
            tell(.failed(job, because: job.error))
        }
    }

    /// Reads a batch of a job whose place is taken, and orders it.
    private func claim(_ job: Job, of store: any JobStore) async throws(Problem) {
        var (upload, pictures): (UploadOptions?, [WorkPicture]) = (nil, [])
        var failure: Problem?
        do throws(Problem) {
            upload =
                if job.rule == nil {
                    try await store.uploadOptions(ofJob: job.id, until: clock.now + Self.timeLimit)
                } else {
                    board.withLock { $0.rule(of: job)?.options }
                }
            if let upload {
                let passed = board.withLock { $0.pauses[job.id]?.passed ?? [] }
                let next = try await store.nextBatch(
                    ofJob: job.id,
                    order: upload.order,
                    limit: WorkOrder.batchSize + passed.count,
                    at: clock.wall,
                    until: clock.now + Self.timeLimit
                )
                let others = next.filter { !passed.contains($0.id) }
                pictures = Array((others.isEmpty ? next : others).prefix(WorkOrder.batchSize))
            }
        } catch { failure = error }
        let isFirst = change { [upload, pictures] board, now in
            let isNew = job.rule == nil && job.done + job.failed == 0 && board.began.insert(job.id).inserted
            return board.begin(job, upload, pictures, now) && isNew
        }
        if isFirst { tell(.began(job)) }
        if let failure { throw failure }
    }
}
