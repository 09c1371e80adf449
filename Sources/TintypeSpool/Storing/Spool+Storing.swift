// SPDX-License-Identifier: Apache-2.0
package import TintypeModel
internal import TintypeSystem

extension Spool {
    private static let largestGroup = 64

    /// Stores a picture and returns its record with path, `stored`, `sha256` and `phasesMs.store`.
    ///
    /// `latest.jpg` in the camera's folder then links to it. Concurrent calls share flushes and a transaction. For the
    /// guarantees see ``Durability``. Throws `spool-full`, also for a picture larger than ``FileLimit/picture``,
    /// `spool-unavailable`, and `too-many-requests` if too many stills wait for the disk; nothing is left behind.
    /// Throws `deadline-exceeded`: a write that has not started by then does not happen; one that has started completes
    /// later with file and row, or fails and leaves nothing.
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
        // Opens the spool if an attempt is due.
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

    /// Atomically replaces `latest.jpg` of a camera of ``Configuration/ownLatest``, unflushed; throws as
    /// ``store(_:durability:source:until:)``.
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
        // On the second try, `makeRoom` has freed the minimum, or left that to the background.
        let free = isSecondTry ? 0 : configuration.retention.minFree
        switch StillWriter(configuration: configuration, files: files).write(picture, of: job, free: free) {
        case .written(let still):
            job.dropPicture()
            if intake.append(still) { thread.submit { [self] slot in commitWritten(&slot) } }
        case .lacksRoom(let error, let isRefused):
            guard !isSecondTry else { return finish(job, .failure(error.problem)) }
            thread.submit { [self] slot in makeRoom(for: job, isRefused, otherwise: error.problem, &slot) }
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
                // The next opening removes a remaining file.
                try? files.remove(still.temporary)
                finish(still.job, .failure(condition.reason ?? Self.closed(folder)))
            }
        }
        if isMore { thread.submit { [self] slot in commitWritten(&slot) } }
    }

    private func makeRoom(
        for job: StoreJob,
        _ isRefused: Bool,
        otherwise problem: Problem,
        _ slot: inout Slot
    ) {
        do throws(Problem) {
            guard let storage = slot.storage else { throw condition.reason ?? Self.closed(folder) }
            let hasRoom =
                isRefused
                ? try storage.makeRoomForFiles(of: job.record.camera)
                : try storage.makeRoom(for: UInt64(job.record.bytes))
            guard hasRoom else { throw problem }
            writers.submit { [self] _ in write(job, isSecondTry: true) }
        } catch {
            finish(job, .failure(error))
        }
    }

    // MARK: - On any of them

    private func finish(_ job: StoreJob, _ outcome: Result<StillRecord, Problem>) {
        // Before the reply, so that the state is updated in order: a picture stored after a refusal comes after it.
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
