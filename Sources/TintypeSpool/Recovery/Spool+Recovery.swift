// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

extension Spool {
    private static let timeLimit = Duration.seconds(30)

    /// Reopens the spool automatically whenever it is unavailable; returns when the task is cancelled.
    ///
    /// Call from one task only. Without it, the spool is reopened by a request when an attempt is due.
    package func run() async {
        for await _ in condition.losses {
            while let due = condition.due, !intake.isClosed {
                do {
                    try await clock.sleep(until: due, tolerance: nil)
                    try await perform("be opened", until: clock.now + Self.timeLimit) { _ in }
                } catch {
                    // The reason is in the spool's state.
                    if Task.isCancelled { return }
                }
            }
        }
    }

    func open(until deadline: MonotonicTime) async throws(Problem) {
        let late = Self.late("be opened", folder)
        try await thread.perform(until: deadline, by: clock, otherwise: late) { [self] slot throws(Problem) in
            _ = try open(&slot)
        }
    }

    /// Schedules an examination of the spool if the failure may concern all of it.
    func noteFailure(_ problem: Problem) {
        switch problem.code {
        case .spoolFull: condition.ranOut(problem)
        case .spoolUnavailable, .internalError:
            guard !condition.isUnavailable, condition.beginExamination() else { return }
            thread.submit { [self] slot in examine(&slot) }
        default: break
        }
    }

    // MARK: - On the storage thread

    /// Returns the storage; opens it first if an attempt is due.
    func storage(in slot: inout Slot) throws(Problem) -> Storage {
        if let storage = slot.storage {
            // A background opening has succeeded.
            if condition.isUnavailable { condition.opened(limit: storage.site.limit) }
            return storage
        }
        guard !intake.isClosed, condition.isDueForRequest(at: clock.now) else {
            throw condition.reason ?? Self.closed(folder)
        }
        do throws(Problem) {
            try slot.place?.check(folder, files: files)
            return try open(&slot)
        } catch {
            condition.failedAgain(error, at: clock.now)
            throw condition.reason ?? error
        }
    }

    private func open(_ slot: inout Slot) throws(Problem) -> Storage {
        let storage = try Storage(configuration, files: files, clock: clock, logger: logger, tell: tell)
        slot.place = try asProblem(try SpoolPlace(of: folder, files: files))
        slot.storage = storage
        reader.withLock { $0 = storage.catalog.reader }
        condition.opened(limit: storage.site.limit)
        if let lack = storage.site.lack { condition.ranOut(lack.problem) }
        return storage
    }

    private func examine(_ slot: inout Slot) {
        defer { condition.endExamination() }
        guard let problem = slot.storage?.examine() else { return }
        // Closed so that the disk can be unmounted and repaired.
        slot.storage?.close()
        slot.storage = nil
        condition.lost(problem)
    }
}

/// Mount point of a spool's file system, so that the empty folder below it is not used while it is unmounted.
struct SpoolPlace: Hashable, Sendable {
    /// Nearest folder at or above the spool that is on another file system than its parent; `/` if none.
    let mountPoint: String

    /// The folder must exist.
    init(of folder: String, files: any FileSystem) throws(FileError) {
        var path = folder
        while path != "/" {
            guard try !Self.isMountPoint(path, files) else { break }
            path = path.enclosingFolder
        }
        mountPoint = path
    }

    func check(_ folder: String, files: any FileSystem) throws(Problem) {
        guard mountPoint != "/" else { return }
        if try asProblem(try Self.isMountPoint(mountPoint, files)) { return }
        throw Problem(
            .spoolUnavailable,
            "The spool \(folder) is gone: nothing is mounted at \(mountPoint) any more.",
            remedy: "Mount its disk there again; tintyped then continues automatically.",
            retryAfter: .seconds(10)
        )
    }

    private static func isMountPoint(_ path: String, _ files: any FileSystem) throws(FileError) -> Bool {
        guard let status = try files.status(of: path, following: true) else { return false }
        return try files.status(of: path.enclosingFolder, following: true)?.device != status.device
    }
}
