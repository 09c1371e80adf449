// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization
package import TintypeModel
internal import TintypeSystem

/// Recording of a clip in `.incoming`, ``SMJPEG``; one caller at a time, any thread.
///
/// It is flushed each second beside the writing. It fails, and every further picture with it, when `minFree` and
/// ``room`` cannot be kept free; the pictures before are whole.
package final class ClipFile: Sendable {
    private struct State {
        var bytes = SMJPEG.headerLength
        var flushed: MonotonicTime
        var failure: Problem?
    }

    private let store: SpoolStore
    /// Of the job.
    private let id: String
    private let file: OpenFile
    private let state: Mutex<State>

    /// Bytes to keep free beside `minFree`.
    static let room = 64 << 20
    private static let pause = Duration.seconds(1)
    private static let patience = Duration.seconds(10)

    fileprivate init(_ file: OpenFile, _ id: String, in store: SpoolStore) {
        (self.file, self.id, self.store) = (file, id, store)
        state = Mutex(State(flushed: store.clock.now))
    }

    /// The only place where the file is closed: work on a writing thread, which outlasts its call on a slow disk, holds
    /// a reference.
    deinit { store.writes.threads.submit { [store, file] _ in try? store.storage.files.close(file) } }

    private var deadline: MonotonicTime { store.clock.now + Self.patience }

    package var bytes: Int { state.withLock(\.bytes) }

    /// Writes a picture with its time since the first one; throws `spool-full`, `spool-unavailable` and
    /// `deadline-exceeded`, after which the recording has ended.
    package func append(_ picture: [UInt8], at time: Duration) async throws(Problem) {
        let header = SMJPEG.frameHeader(at: time, bytes: picture.count)
        let now = store.clock.now
        do throws(Problem) {
            if let failure = state.withLock(\.failure) { throw failure }
            try await store.writes.perform("record", until: now + Self.patience) {
                [self] (files) throws(FileError) in
                try files.write(header, to: file)
                try files.write(picture, to: file)
            }
        } catch {
            fail(error)
            throw error
        }
        let isDue = state.withLock { state in
            state.bytes += header.count + picture.count
            guard now - state.flushed >= Self.pause else { return false }
            state.flushed = now
            return true
        }
        guard isDue else { return }
        store.writes.threads.submit(for: WriteQueue.films) { [self] _ in
            do throws(FileError) { try store.storage.files.syncData(of: file) } catch { fail(error.problem) }
        }
        store.storage.submit { [self] slot in
            do throws(Problem) {
                guard let spool = slot.spool else { throw store.storage.health.reason ?? .closed(store.folder) }
                try spool.makeRoom(for: Self.room)
            } catch {
                fail(error)
            }
        }
    }

    /// Makes the job; throws as ``SpoolStore/addClip(_:_:of:from:until:)``.
    package func addJob(
        _ request: ClipRequest,
        of camera: String,
        from capturedAt: Timestamp
    ) async throws(Problem) -> Job {
        try await store.addClip(id, request, of: camera, from: capturedAt, until: deadline)
    }

    /// Flushes the file, which stays, and notes the time of pauses and the error in the job.
    package func close(cut: Duration = .zero, error: String? = nil) async {
        let verb = "close the recording"
        try? await store.writes.perform(verb, until: deadline) { [self] (files) throws(FileError) in
            try files.syncData(of: file)
        }
        guard cut > .zero || error != nil else { return }
        _ = try? await store.step(verb, until: deadline) { [id] _, jobs, now throws(Problem) in
            let row = try jobs.row(id)
            var (options, job) = (try row.options(ClipOptions.self), row.job)
            (options.cutMs, job.error) = (Milliseconds(cut), error ?? job.error)
            return try jobs.save(JobRow(job, encoding: options), at: now)
        }
    }

    /// Removes the file, and cancels the job, which may have been made after the deadline.
    package func remove() async {
        _ = try? await store.changeJob(id, by: .cancel, until: deadline)
        let path = store.path(ofRecording: id)
        try? await store.writes.perform("remove the recording", until: deadline) { (files) throws(FileError) in
            try files.remove(path)
        }
    }

    private func fail(_ problem: Problem) { state.withLock { $0.failure = $0.failure ?? problem } }
}

extension SpoolStore {
    /// Creates the recording of a clip job, of pictures of this size; throws `spool-full`, `spool-unavailable` and
    /// `deadline-exceeded`.
    package func openRecording(
        _ id: String,
        _ size: FrameSize,
        until deadline: MonotonicTime
    ) async throws(Problem) -> ClipFile {
        try await storage.perform("record", until: deadline) { spool throws(Problem) in
            try spool.makeRoom(for: ClipFile.room)
        }
        let (path, mode) = (path(ofRecording: id), storage.configuration.fileMode)
        return try await writes.perform("record", until: deadline) { [self] (files) throws(FileError) in
            try files.makeFile(path, SMJPEG.header(size), mode: mode)
            try files.syncFolder("\(folder)/.incoming")
            return ClipFile(try files.reopen(path, from: SMJPEG.headerLength), id, in: self)
        }
    }

    func path(ofRecording id: String) -> String { "\(folder)/.incoming/\(id).smjpeg" }
    func path(ofVideo id: String) -> String { "\(folder)/.incoming/\(id).video" }
}

extension OpenSpool {
    /// Keeps `bytes` and `minFree` free; throws `spool-full` if that is not possible.
    func makeRoom(for bytes: Int) throws(Problem) {
        guard try admission.makeRoom(for: UInt64(bytes)) else {
            throw FileError("write to", folder, code: ENOSPC).problem
        }
    }

    /// Removes files of a film or clip that has ended, or is not wanted any more.
    func removeFiles(ofVideo id: String) {
        for ending in ["smjpeg", "video"] { discard("\(incoming)/\(id).\(ending)") }
    }

    func names(inIncoming ending: String) throws(Problem) -> [String] {
        try asProblem(try files.names(in: incoming)).filter { $0.hasSuffix(ending) }
    }

    /// Removes recordings of jobs that have ended, and at an opening those without a job, which a kill left; not while a
    /// rebuilt catalog may lack jobs.
    func removeRecordings(isOpening: Bool) throws(Problem) {
        guard !comparison.isRebuilding else { return }
        for name in try names(inIncoming: ".smjpeg") {
            // One that begins has no job yet.
            let job = try jobTable.present(String(name.dropLast(7)))
            guard job.map({ !$0.state.isOpen }) ?? isOpening else { continue }
            discard("\(incoming)/\(name)")
            if isOpening { comparison.leftovers += 1 }
        }
    }
}
