// SPDX-License-Identifier: Apache-2.0
internal import CoreMetrics
internal import Glibc
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// Stills on their way into a spool; bounded, since pictures would pile up if a disk does not respond.
///
/// Several threads `tt-write` write the files: sequential fdatasync(2) calls would leave the disk idle in between.
/// Written stills are committed in groups on the storage thread: “The order of system calls” in docs/reference/spool.md.
final class WriteQueue: Sendable {
    static let limit = 128
    /// Number of threads that write, and so of concurrent flushes.
    static let threadCount = 8
    /// Bytes to leave free for folders, link and catalog.
    static let reserve: UInt64 = 1 << 20
    private static let largestGroup = 64
    /// Client of the threads for files other than stills.
    static let films = "films"

    private struct State {
        /// Numbers of stills, and of other work.
        var (stills, others) = (0, 0)
        var lastNumber: UInt64 = 0
        var written: [PendingWrite] = []
        var isClosed = false
        /// One for each call of ``WriteQueue/close()``, since a reply has one waiting task.
        var drained: [Reply<Void>] = []
    }

    private let storage: StorageThread
    private let tell: EventSink
    private let waiting: Meter
    private let state = Mutex(State())
    let threads = WorkerThreads(name: "tt-write", count: threadCount) {}

    private var folder: String { storage.folder }
    private var files: any FileSystem { storage.files }

    init(_ storage: StorageThread, tell: @escaping EventSink) {
        (self.storage, self.tell) = (storage, tell)
        waiting = Meter(label: MetricName.waitingStills.rawValue, dimensions: [("spool", storage.configuration.name)])
    }

    var heartbeat: Heartbeat { threads.heartbeat("the writing threads of the spool \(storage.configuration.name)") }

    func store(
        _ still: Still,
        _ durability: Durability,
        _ source: FrameSource,
        until deadline: MonotonicTime
    ) async throws(Problem) -> StillRecord {
        let start = storage.clock.now
        guard still.record.bytes <= FileLimit.picture else {
            throw Problem(
                .spoolFull,
                "The picture has \(HumanBytes.rounded(still.record.bytes)) bytes, and one in the spool \(folder) can "
                    + "have \(HumanBytes.text(FileLimit.picture)) at most.",
                remedy: "Ask for a smaller picture, or one of a lower quality."
            )
        }
        guard deadline > start else { throw .late("store the picture", folder) }
        // Opens the spool if an attempt is due.
        if storage.health.isUnavailable { try await storage.perform("store the picture", until: deadline) { _ in } }
        let write = try enter(still, durability, source)
        threads.submit { [self] _ in writeFile(write, isSecondTry: false) }
        defer { write.dropPicture() }
        var record = try await write.reply.value(until: deadline, otherwise: .late("store the picture", folder))
        var phases = still.record.phasesMs ?? StillPhases()
        phases.store = Milliseconds(storage.clock.now - start)
        record.phasesMs = phases
        return record
    }

    /// Throws `invalid-request` for a camera that no row may have.
    static func checkName(_ camera: String) throws(Problem) {
        guard !CameraName.isValid(camera) else { return }
        let detail = "is not a valid name of a folder of the spool: “\(camera)”."
        throw .invalid(field: "camera", detail, remedy: CameraName.remedy)
    }

    /// Counts a still, film or clip until ``leave()``; throws `stopping`, `too-many-requests` and `invalid-request`.
    func enter(_ still: Still, _ durability: Durability, _ source: FrameSource) throws(Problem) -> PendingWrite {
        try Self.checkName(still.record.camera)
        let (number, isClosed) = state.withLock { state -> (UInt64?, Bool) in
            guard !state.isClosed, state.stills < Self.limit else { return (nil, state.isClosed) }
            state.stills += 1
            waiting.set(state.stills)
            state.lastNumber += 1
            return (state.lastNumber, false)
        }
        if let number { return PendingWrite(number: number, still, durability, source, clock: storage.clock) }
        if isClosed { throw .closed(folder) }
        let detail = "\(Self.limit) pictures wait for the disk of the spool \(folder) already."
        let remedy = "Send requests more slowly, and look at the disk's load and errors (iostat, dmesg)."
        throw Problem(.tooManyRequests, detail, remedy: remedy, retryAfter: .seconds(1))
    }

    /// Runs `work` on a writing thread, in turn with stills, but outside of their ``limit``; throws its errors,
    /// `deadline-exceeded` and `stopping`.
    func perform<Value: Sendable>(
        _ verb: String,
        until deadline: MonotonicTime,
        _ work: @escaping @Sendable (any FileSystem) throws(FileError) -> Value
    ) async throws(Problem) -> Value {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.others += 1 }
            return state.isClosed
        }
        guard !isClosed else { throw .closed(folder) }
        defer { leave(\.others) }
        return try await threads.perform(
            for: Self.films,
            until: deadline,
            by: storage.clock,
            otherwise: .late(verb, folder)
        ) { [self] _ throws(Problem) in
            do throws(FileError) {
                return try work(files)
            } catch {
                storage.noteFailure(error.problem)
                throw error.problem
            }
        }
    }

    /// Ends a still: stored, failed, or without a waiting client.
    func leave() { leave(\.stills) }

    private func leave(_ kind: WritableKeyPath<State, Int>) {
        let drained = state.withLock { state -> [Reply<Void>] in
            state[keyPath: kind] -= 1
            waiting.set(state.stills)
            return state.stills + state.others == 0 ? state.drained : []
        }
        for reply in drained { reply.resolve(.success(())) }
    }

    /// Refuses further stills; returns a reply that resolves once the last one has left, nil if none is pending.
    func close() -> Reply<Void>? {
        state.withLock { state in
            state.isClosed = true
            guard state.stills + state.others > 0 else { return nil }
            let drained = Reply<Void>(clock: storage.clock)
            state.drained.append(drained)
            return drained
        }
    }

    // MARK: - On a writing thread

    /// Writes a still to a new file in `.incoming`, which is removed on failure.
    private func writeFile(_ write: PendingWrite, isSecondTry: Bool) {
        guard write.reply.isAwaited, let picture = write.picture else { return leave() }
        let configuration = storage.configuration
        // On the second try, `makeRoom` has freed the minimum, or left that to the background.
        let free = isSecondTry ? 0 : configuration.retention.minFree
        write.temporary = "\(folder)/.incoming/\(write.record.id)-\(write.number).jpg"
        var error = FileError("store a picture of \(picture.count) bytes in", folder, code: ENOSPC)
        var isRefused = false
        do throws(FileError) {
            if try files.availableBytes(at: folder) >= UInt64(picture.count) + Self.reserve + free {
                write.record.sha256 = try fill(write, picture, mode: configuration.fileMode)
                write.dropPicture()
                return queueCommit(of: write)
            }
        } catch let refusal {
            (error, isRefused) = (refusal, true)
        }
        guard error.isFull, !isSecondTry else { return finish(write, error.problem) }
        storage.submit { [self, error, isRefused] slot in
            makeRoom(for: write, isRefused, error, slot.spool?.admission)
        }
    }

    /// Steps `write` and `flush`; returns the checksum.
    private func fill(_ write: PendingWrite, _ picture: [UInt8], mode: UInt32) throws(FileError) -> String {
        NamedThread.assertMayBlock("writing a picture")
        return try files.makeFile(write.temporary, mode: mode) { (file) throws(FileError) in
            try files.write(picture, to: file)
            guard write.durability != .none else { return SHA256.text(picture) }
            // The disk writes while the checksum is computed.
            files.beginFlush(of: file)
            let sha256 = SHA256.text(picture)
            try files.syncData(of: file)
            return sha256
        }
    }

    /// Step `append` of a film or clip, whose file `received` is in `.incoming`: under a name of its own, which no other
    /// attempt uses, also after the caller has gone.
    func finishFile(_ write: PendingWrite, _ received: String, _ trailer: VideoTrailer) {
        guard write.reply.isAwaited else { return leave() }
        let (size, end) = (trailer.record.bytes, trailer.bytes(of: write.ending))
        write.temporary = "\(folder)/.incoming/\(write.record.id)-\(write.number).\(write.ending)"
        do throws(FileError) {
            let present = try files.size(ofFile: received) ?? 0
            guard present == size else {
                let detail = "is \(size), but \(present) bytes were received."
                return finish(write, .invalid(field: "video.bytes", detail, remedy: "Send the file again."))
            }
            try files.move(received, to: write.temporary)
            try files.overwrite(write.temporary, from: size, end, isFlushed: true)
            write.record.bytes = size + end.count
            write.record.sha256 = try files.checksum(of: write.temporary, size: write.record.bytes)
            queueCommit(of: write)
        } catch {
            try? files.remove(write.temporary)
            finish(write, error.problem)
        }
    }

    /// Appends a written still to the next group; schedules the commit if it is the first.
    private func queueCommit(of write: PendingWrite) {
        let isFirst = state.withLock { state in
            state.written.append(write)
            return state.written.count == 1
        }
        if isFirst { storage.submit { [self] slot in commit(&slot) } }
    }

    /// True if written stills wait for their commit; for tests.
    var isCommitPending: Bool { state.withLock { !$0.written.isEmpty } }

    // MARK: - On the storage thread

    /// Commits the next group, those without a flush first, so that they do not wait for the others.
    private func commit(_ slot: inout StorageThread.Slot) {
        let (group, isMore) = state.withLock { state in
            let group = Array(state.written.prefix(Self.largestGroup))
            state.written.removeFirst(group.count)
            return (group, !state.written.isEmpty)
        }
        for isFull in [false, true] {
            let part = group.filter { ($0.durability == .full) == isFull }
            guard !part.isEmpty else { continue }
            if let spool = slot.spool {
                GroupCommit(spool: spool, isFull: isFull).commit(part)
            } else {
                // The next opening removes a remaining file.
                for write in part { try? files.remove(write.temporary) }
                for write in part { write.problem = storage.health.reason ?? .closed(folder) }
            }
            for write in part { finish(write, write.problem) }
        }
        if isMore { storage.submit { [self] slot in commit(&slot) } }
    }

    /// Frees space, or inodes if the disk has refused the file in spite of its free bytes, and tries again.
    private func makeRoom(for write: PendingWrite, _ isRefused: Bool, _ error: FileError, _ admission: Admission?) {
        do throws(Problem) {
            guard let admission else { throw storage.health.reason ?? .closed(folder) }
            let hasRoom =
                isRefused
                ? try admission.makeRoomForFiles(of: write.record.camera)
                : try admission.makeRoom(for: UInt64(write.record.bytes))
            guard hasRoom else { throw error.problem }
            threads.submit { [self] _ in writeFile(write, isSecondTry: true) }
        } catch {
            finish(write, error)
        }
    }

    // MARK: - On any of them

    private func finish(_ write: PendingWrite, _ problem: Problem?) {
        // Before the reply, so that the state is updated in order: a picture stored after a refusal comes after it.
        if let problem {
            storage.noteFailure(problem)
            write.reply.resolve(.failure(problem))
        } else {
            storage.health.stored()
            write.record.path = write.path.map { "\(folder)/\($0)" }
            tell(.stored(write.record, in: storage.configuration.name))
            write.reply.resolve(.success(write.record))
        }
        leave()
    }
}
