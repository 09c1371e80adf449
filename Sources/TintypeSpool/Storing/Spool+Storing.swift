// SPDX-License-Identifier: Apache-2.0
package import TintypeModel
internal import TintypeSystem

extension Spool {
    /// The most stills that get their rows together.
    private static let largestGroup = 64

    /// Stores a picture and returns its record with path, `stored`, `sha256` and `phasesMs.store` filled in.
    ///
    /// `latest.jpg` in the camera's folder then links to it. For what the record promises see ``Durability``; what
    /// several ask for at once shares flushes and a transaction. Throws `spool-full`, also for a picture that is larger
    /// than any that is served (``FileLimit/picture``), and `spool-unavailable`, and nothing is left behind then, and `too-many-requests` where too many wait for the disk. Throws
    /// `deadline-exceeded`: if the writing had begun by the deadline, it ends as a whole, later, with file and row (or
    /// fails and leaves nothing); if it had not, nothing is written.
    package func store(
        _ still: Still,
        durability: Durability,
        source: FrameSource = .request,
        until deadline: MonotonicTime
    ) async throws(Problem) -> StillRecord {
        let begin = clock.now
        guard CameraName.isValid(still.record.camera) else {
            throw .invalid(
                field: "camera",
                "is not a valid name of a folder of the spool: “\(still.record.camera)”.",
                remedy: "Use a-z, 0-9, '.', '_' and '-', the first a letter or a digit, at most 64 in all."
            )
        }
        guard still.record.bytes <= FileLimit.picture else { throw Self.tooLarge(still.record.bytes, folder) }
        guard deadline > begin else { throw Self.late("store the picture", folder) }
        // Opens it if that is due.
        if condition.isUnavailable { try await perform("store the picture", until: deadline) { _ in } }
        let job = try intake.enter(still, durability, source, folder: folder)
        writers.submit { [self] _ in write(job, isSecondTry: false) }
        defer { job.dropPicture() }
        var record = try await job.reply.value(until: deadline, otherwise: Self.late("store the picture", folder))
        var phases = still.record.phasesMs ?? StillPhases()
        phases.store = Milliseconds(clock.now - begin)
        record.phasesMs = phases
        return record
    }

    /// Puts a picture of no frame in the place of `camera`'s `latest.jpg`, by rename, so that a reader that opens it
    /// has a whole one; it is not flushed, and has no row.
    ///
    /// For cameras of ``Configuration/ownLatest``. Throws as ``store(_:durability:source:until:)`` does.
    package func replaceLatest(
        of camera: String,
        by picture: [UInt8],
        until deadline: MonotonicTime
    ) async throws(Problem) {
        guard CameraName.isValid(camera) else {
            throw .invalid(field: "camera", "is not a camera's name: “\(camera)”.", remedy: "Give a camera's name.")
        }
        try await perform("replace latest.jpg", until: deadline) { storage throws(Problem) in
            try storage.replaceLatest(of: camera, by: picture)
        }
    }

    // MARK: - On the threads that write

    private func write(_ job: StoreJob, isSecondTry: Bool) {
        guard job.reply.isAwaited, let picture = job.bytes else { return intake.leave() }
        // There is the minimum of free space once the oldest have gone for it, or the background sees to that.
        let free = isSecondTry ? 0 : configuration.retention.minFree
        switch StillWriter(configuration: configuration, files: files).write(picture, of: job, free: free) {
        case .written(let still):
            job.dropPicture()
            if intake.append(still) { thread.submit { [self] slot in commitWritten(&slot) } }
        case .lacksRoom(let error):
            guard !isSecondTry else { return finish(job, .failure(error.problem)) }
            thread.submit { [self] slot in makeRoom(for: job, otherwise: error.problem, &slot) }
        case .failed(let error): finish(job, .failure(error.problem))
        }
    }

    // MARK: - On the storage thread

    private func commitWritten(_ slot: inout Slot) {
        let (stills, isMore) = intake.takeWritten(atMost: Self.largestGroup)
        if let storage = slot.storage {
            for part in Storage.parts(of: stills) {
                for (still, outcome) in zip(part, storage.commit(part)) { finish(still.job, outcome) }
            }
        } else {
            for still in stills {
                // A file that stays is removed at the next opening.
                try? files.remove(still.temporary)
                finish(still.job, .failure(condition.reason ?? Self.closed(folder)))
            }
        }
        if isMore { thread.submit { [self] slot in commitWritten(&slot) } }
    }

    private func makeRoom(for job: StoreJob, otherwise problem: Problem, _ slot: inout Slot) {
        do throws(Problem) {
            guard let storage = slot.storage else { throw condition.reason ?? Self.closed(folder) }
            guard try storage.makeRoom(for: UInt64(job.record.bytes)) else { throw problem }
            writers.submit { [self] _ in write(job, isSecondTry: true) }
        } catch {
            finish(job, .failure(error))
        }
    }

    // MARK: - On any of them

    private func finish(_ job: StoreJob, _ outcome: Result<StillRecord, Problem>) {
        // Before the answer: what is stored after a refusal comes after it in the state, too.
        switch outcome {
        case .success(let record):
            condition.stored()
            tell(.stored(record, in: name))
        case .failure(let problem): noteFailure(problem)
        }
        job.reply.resolve(outcome)
        intake.leave()
    }
}
