// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// Thread `tt-storage` of a spool, which makes all changes of what is stored in order, and the spool that it has open.
///
/// Callers suspend until their deadline at most: a disk that does not respond does not affect other spools. After a
/// disk failure, the spool is closed and reopened: ``run()``.
final class StorageThread: Sendable {
    struct Slot: ~Copyable {
        /// Nil before the spool is opened, while it is unavailable, and after it is closed.
        var spool: OpenSpool?
        var mount: SpoolMount?
    }

    let files: any FileSystem
    let clock: any MonotonicClock
    let health: SpoolHealth
    let folder: String
    let logger: Logger
    private let tell: EventSink
    private let settings: Mutex<SpoolStore.Configuration>
    private let isClosing = OnceFlag()
    private let threads = WorkerThreads(name: "tt-storage", count: 1) { Slot() }
    /// Reader of the last opening, which is closed with it; nil if the catalog is not shared.
    let reader = Mutex<CatalogReader?>(nil)

    init(
        _ configuration: SpoolStore.Configuration,
        files: any FileSystem,
        clock: any MonotonicClock,
        logger: Logger,
        tell: @escaping EventSink
    ) {
        (self.files, self.clock, self.logger, self.tell) = (files, clock, logger, tell)
        folder = configuration.folder
        settings = Mutex(configuration)
        health = SpoolHealth(clock: clock, logger: logger)
    }

    var configuration: SpoolStore.Configuration { settings.withLock(\.self) }

    func use(_ other: SpoolStore.Configuration) {
        let rules = settings.withLock { settings in
            (settings.retention, settings.cameraRetention) = (other.retention, other.cameraRetention)
            (settings.ownLatest, settings.uploads) = (other.ownLatest, other.uploads)
            return settings
        }
        submit { slot in slot.spool?.use(rules) }
        deleteAbandonedDeliveries()
    }

    /// Deletes the deliveries that wait for a job that is cancelled or gone, in steps between which stills are stored.
    func deleteAbandonedDeliveries() {
        submit { [self] slot in
            guard let spool = slot.spool else { return }
            do throws(Problem) {
                if try spool.deleteAbandonedDeliveries() { deleteAbandonedDeliveries() }
            } catch {
                noteFailure(error)
            }
        }
    }

    var heartbeats: [Heartbeat] {
        let name = configuration.name
        let reader = reader.withLock(\.self)?.thread.heartbeat("the reading thread of the spool \(name)")
        return [threads.heartbeat("the storage thread of the spool \(name)")] + (reader.map { [$0] } ?? [])
    }

    // MARK: - Work for the thread

    func submit(_ work: @escaping @Sendable (inout Slot) -> Void) { threads.submit { slot in work(&slot) } }

    /// Runs `work` with the open spool, which callers must not keep: it differs in each opening.
    ///
    /// Opens it first if it is unavailable and an attempt is due. Throws the errors of `work`, the reason while the
    /// spool is unavailable, also if it was reopened after `opening`, `stopping` once closed, and `deadline-exceeded`.
    func perform<Value: Sendable>(
        _ verb: String,
        in opening: UInt64? = nil,
        until deadline: MonotonicTime,
        _ work: @escaping @Sendable (OpenSpool) throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        guard deadline > clock.now else { throw .late(verb, folder) }
        guard !isClosing.isRaised else { throw .closed(folder) }
        return try await threads.perform(until: deadline, by: clock, otherwise: .late(verb, folder)) {
            [self] slot throws(Problem) in
            try run(work, verb, in: opening, &slot)
        }
    }

    /// As ``perform(_:in:until:_:)``, for another thread of the spool, which blocks until the work is done.
    func performBlocking<Value: Sendable>(
        _ verb: String,
        in opening: UInt64,
        _ work: @escaping @Sendable (OpenSpool) throws(Problem) -> Value
    ) throws(Problem) -> Value {
        guard !isClosing.isRaised else { throw .closed(folder) }
        let (done, result) = (ThreadSemaphore(), Reply<Value>(clock: clock))
        submit { [self] slot in
            result.resolve(Result { () throws(Problem) in try run(work, verb, in: opening, &slot) })
            done.post()
        }
        done.wait()
        guard let answer = result.answer else { throw .closed(folder) }
        return try answer.get()
    }

    private func run<Value>(
        _ work: (OpenSpool) throws(Problem) -> Value,
        _ verb: String,
        in opening: UInt64?,
        _ slot: inout Slot
    ) throws(Problem) -> Value {
        let spool = try openIfDue(&slot)
        guard opening == nil || opening == spool.site.opening else {
            let detail = "The spool \(folder) was closed and opened again before it could \(verb)."
            let remedy = "Ask again."
            throw Problem(.spoolUnavailable, detail, remedy: remedy, retryAfter: .seconds(1))
        }
        do throws(Problem) {
            return try work(spool)
        } catch {
            noteFailure(error)
            throw error
        }
    }

    /// Runs `beside` on `tt-read`, so that no store waits for it; if it returns nil, runs `work` on the storage thread,
    /// which handles faults that the reader only detects; throws as ``perform(_:in:until:_:)``.
    func read<Value: Sendable>(
        _ verb: String,
        until deadline: MonotonicTime,
        beside: @escaping @Sendable (CatalogReader) -> Value?,
        otherwise work: @escaping @Sendable (OpenSpool) throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        if deadline > clock.now, !isClosing.isRaised, !health.isUnavailable, let reader = reader.withLock(\.self),
            let value = try await reader.thread.perform(
                until: deadline,
                by: clock,
                otherwise: .late(verb, folder),
                { _ in beside(reader) }
            )
        {
            return value
        }
        return try await perform(verb, until: deadline, work)
    }

    /// Runs `query` on the catalog as ``read(_:until:beside:otherwise:)``.
    func query<Value: Sendable>(
        _ verb: String,
        until deadline: MonotonicTime,
        _ query: @escaping @Sendable (Catalog) throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        try await read(verb, until: deadline) { reader in
            reader.answer(query)
        } otherwise: { spool throws(Problem) in
            .success(try query(spool.catalog))
        }.get()
    }

    /// Runs `work`, several calls of ``perform(_:in:until:_:)``, within one opening; restarts it, up to three times, if
    /// the spool is reopened meanwhile: a new catalog lacks the results of the earlier steps.
    func inOneOpening<Value: Sendable>(
        _ verb: String,
        until deadline: MonotonicTime,
        _ work: (UInt64) async throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        var openings = 0
        while true {
            let opening = try await perform(verb, until: deadline) { spool in spool.site.opening }
            do throws(Problem) {
                return try await work(opening)
            } catch {
                // A catalog found damaged is set aside when the spool is reopened, which is queued before this call.
                openings += 1
                guard error.code == .spoolUnavailable, openings <= 3 else { throw error }
                let present = try await perform(verb, until: deadline) { spool in spool.site.opening }
                guard present != opening else { throw error }
            }
        }
    }

    // MARK: - Opening and closing

    private static let openingTime = Duration.seconds(30)

    func run() async {
        for await _ in health.losses {
            while let due = health.due, !isClosing.isRaised {
                do {
                    try await clock.sleep(until: due, tolerance: nil)
                    try await perform("be opened", until: clock.now + Self.openingTime) { _ in }
                } catch {
                    // The reason is in the spool's health.
                    if Task.isCancelled { return }
                }
            }
        }
    }

    func open(until deadline: MonotonicTime) async throws(Problem) {
        try await threads.perform(until: deadline, by: clock, otherwise: .late("be opened", folder)) {
            [self] slot throws(Problem) in
            _ = try open(&slot)
        }
    }

    func beginClosing() { isClosing.raise() }

    /// Closes the spool after the queued work; returns false if that is not done by `deadline`.
    func close(until deadline: MonotonicTime) async -> Bool {
        do throws(Problem) {
            try await threads.perform(until: deadline, by: clock, otherwise: .late("be closed", folder)) { slot in
                slot.spool?.close(isClean: true)
                slot.spool = nil
            }
            return true
        } catch {
            return false
        }
    }

    /// Schedules an examination of the spool if the failure may concern all of it.
    func noteFailure(_ problem: Problem) {
        switch problem.code {
        case .spoolFull: health.ranOut(problem)
        case .spoolUnavailable, .internalError:
            guard !health.isUnavailable, health.beginExamination() else { return }
            submit { [self] slot in examine(&slot) }
        default: break
        }
    }

    private func openIfDue(_ slot: inout Slot) throws(Problem) -> OpenSpool {
        if let spool = slot.spool {
            // A background opening has succeeded.
            if health.isUnavailable { health.opened(limit: spool.site.limit) }
            return spool
        }
        guard !isClosing.isRaised, health.isDueForRequest(at: clock.now) else {
            throw health.reason ?? .closed(folder)
        }
        do throws(Problem) {
            try slot.mount?.check(folder, files: files)
            return try open(&slot)
        } catch {
            health.failedAgain(error, at: clock.now)
            throw health.reason ?? error
        }
    }

    private func open(_ slot: inout Slot) throws(Problem) -> OpenSpool {
        let opening = SpoolOpening(configuration: configuration, files: files, clock: clock, logger: logger)
        let spool = try OpenSpool.open(opening, tell: tell)
        slot.mount = try asProblem(try SpoolMount(of: folder, files: files))
        slot.spool = spool
        reader.withLock { $0 = spool.catalog.reader }
        health.opened(limit: spool.site.limit)
        if let lack = spool.site.lack { health.ranOut(lack.problem) }
        deleteAbandonedDeliveries()
        return spool
    }

    private func examine(_ slot: inout Slot) {
        defer { health.endExamination() }
        guard let problem = slot.spool?.examine() else { return }
        // Closed so that the disk can be unmounted and repaired.
        slot.spool?.close()
        slot.spool = nil
        health.lost(problem)
    }
}
