// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization
package import TintypeModel
internal import TintypeSystem

/// Jobs of films and clips, and their files; all calls throw `spool-unavailable`, `deadline-exceeded` and `stopping`,
/// and those with a job `not-found`.
extension SpoolStore {
    /// Adds the job of a film; returns the present one with this `id`, or throws `spool-unavailable` with an `id` while
    /// the catalog is being rebuilt.
    package func addFilm(
        _ request: FilmRequest,
        id: String?,
        until deadline: MonotonicTime
    ) async throws(Problem) -> Job {
        try await step("make the job", until: deadline) { [folder] spool, jobs, now throws(Problem) in
            guard id == nil || !spool.comparison.isRebuilding else {
                let detail = "The catalog of the spool \(folder) is being rebuilt, and may lack the job."
                throw Problem(.spoolUnavailable, detail, remedy: "Ask again.", retryAfter: .seconds(60))
            }
            if let id, let present = try jobs.present(id) { return try jobs.job(present, at: now) }
            var request = request
            request.filter = request.filter.resolved(at: now)
            try WriteQueue.checkName(request.filter.camera ?? "")
            let source = "\(request.filter)"
            var job = Job(id: id ?? Job.newID(), rule: nil, spool: "", source: source, target: "mp4", createdAt: now)
            (job.kind, job.camera, job.priority) = (.film, request.filter.camera, request.priority)
            return try jobs.save(JobRow(job, encoding: request), at: now)
        }
    }

    /// Adds the job of a clip whose first picture was captured at `capturedAt`.
    package func addClip(
        _ id: String,
        _ request: ClipRequest,
        of camera: String,
        from capturedAt: Timestamp,
        until deadline: MonotonicTime
    ) async throws(Problem) -> Job {
        try WriteQueue.checkName(camera)
        let (before, after) = (
            HumanDuration.text(request.beforeMs.duration), HumanDuration.text(request.forMs.duration)
        )
        let (source, target) = ("\(before) before, \(after) after", request.original ? "mkv" : "mp4")
        return try await step("make the job", until: deadline) { _, jobs, now throws(Problem) in
            var job = Job(id: id, rule: nil, spool: "", source: source, target: target, createdAt: now)
            (job.kind, job.camera) = (.clip, camera)
            return try jobs.save(JobRow(job, encoding: ClipOptions(request, from: capturedAt)), at: now)
        }
    }

    /// Order to the worker, without files that an earlier one did not finish; throws `configuration-conflict` for a job
    /// that has ended, and for one without a whole picture in its recording.
    package func videoOrder(ofJob id: String, until deadline: MonotonicTime) async throws(Problem) -> VideoOrder {
        let row = try await video(id, until: deadline)
        try await storage.perform("make the job", until: deadline) { spool throws(Problem) in
            for name in try spool.names(inIncoming: ".video") { spool.discard("\(spool.incoming)/\(name)") }
        }
        guard row.state.isOpen else {
            throw row.conflict("has ended: it is \(row.state.rawValue).", "Ask for it again.")
        }
        guard row.kind == .clip else {
            let request = try row.options(FilmRequest.self)
            let times = [Timestamp(microseconds: 0), Timestamp(microseconds: CheckedRow.moments.upperBound)]
            let query = FrameSpanQuery(filter: request.pictures, times: times)
            var order = VideoOrder(.film)
            order.film = request.style
            // For the progress only: it may be late.
            let spans = try? await spans(query, until: min(deadline, clock.now + Self.partTime))
            order.pictures = spans.map { $0.first?.frames ?? 0 }
            return order
        }
        var order = VideoOrder(.clip)
        order.bytes = try await contents(ofClip: row, until: deadline).bytes
        order.original = row.target == "mkv" ? true : nil
        return order
    }

    /// Stills of a film, oldest first; a page may be short, or even empty, with another one after it.
    package func videoPictures(
        ofJob id: String,
        after cursor: FrameCursor?,
        until deadline: MonotonicTime
    ) async throws(Problem) -> FramePage {
        let filter = try await video(id, until: deadline).options(FilmRequest.self).pictures
        return try await frames(FrameQuery(filter: filter, order: .oldest, limit: 500, cursor: cursor), until: deadline)
    }

    /// Whole pictures of the recording of a clip, ``SMJPEG``; throws as ``videoOrder(ofJob:until:)``.
    package func recording(ofJob id: String, until deadline: MonotonicTime) async throws(Problem) -> StoredFile {
        let bytes = try await contents(ofClip: try await video(id, until: deadline), until: deadline).bytes
        return stored(path(ofRecording: id), bytes)
    }

    /// Writes a part of a film or clip; 0 begins anew, and a part may be sent again.
    ///
    /// Throws `invalid-request` for a gap and above ``FileLimit/film``, and `spool-full`.
    package func receive(
        _ bytes: [UInt8],
        at offset: Int,
        ofVideo job: String,
        until deadline: MonotonicTime
    ) async throws(Problem) {
        let (verb, path, configuration) = ("receive a film", path(ofVideo: job), storage.configuration)
        guard offset <= FileLimit.film - VideoTrailer.most - bytes.count else {
            throw .invalid(field: "offset", "is more than a film can have.", remedy: "Make a shorter film.")
        }
        try await storage.perform(verb, until: deadline) { spool throws(Problem) in
            try spool.makeRoom(for: bytes.count)
        }
        let size = try await writes.perform(verb, until: deadline) { (files) throws(FileError) -> Int in
            let size = offset == 0 ? 0 : try files.size(ofFile: path) ?? 0
            guard offset <= size else { return size }
            if offset == 0 {
                try files.remove(path)
                try files.makeFile(path, bytes, mode: configuration.fileMode)
            } else {
                try files.overwrite(path, from: offset, bytes, isFlushed: false)
            }
            return size
        }
        guard offset <= size else {
            throw .invalid(field: "offset", "is behind the end, which is \(size).", remedy: "Begin anew with 0.")
        }
    }

    /// Stores the received file, durably, and returns the job, which is done; `pictures` is empty for a clip.
    ///
    /// Throws `invalid-request` for a file of another length or with more pictures than were read,
    /// `configuration-conflict`, and as ``store(_:durability:source:until:)``.
    ///
    /// The id of the frame is in the job before the file gets its name: after a kill in between, reconciliation adds the
    /// file with this id, which ends the job.
    package func storeVideo(
        ofJob id: String,
        _ result: VideoResult,
        of pictures: FilmPictures,
        until deadline: MonotonicTime
    ) async throws(Problem) -> Job {
        let row = try await video(id, until: deadline)
        if row.state.isOpen {
            let (record, picture) = try await record(of: row, result, pictures, until: deadline)
            try await step("store the film", until: deadline) { _, jobs, now throws(Problem) in
                var row = try jobs.row(id)
                guard row.state.isOpen else { throw row.conflict("has ended.", "Ask for it again.") }
                row.frame = record.id
                _ = try jobs.save(row, at: now)
            }
            var pass: RetentionPass?
            repeat {
                pass = try await storage.perform("store the film", until: deadline) {
                    [pass] spool throws(Problem) in
                    try spool.admission.makeRoom(for: record, pass)
                }
            } while pass != nil
            let write = try writes.enter(Still(record: record, picture: []), .full, .request)
            write.ending = row.target
            write.recording = row.kind == .clip ? path(ofRecording: id) : nil
            writes.threads.submit(for: WriteQueue.films) { [self] _ in
                let trailer = VideoTrailer(record, poster: VideoTrailer.poster(of: picture))
                writes.finishFile(write, path(ofVideo: id), trailer)
            }
            _ = try await write.reply.value(until: deadline, otherwise: .late("store the film", folder))
        }
        return try await step("store the film", until: deadline) { _, jobs, now throws(Problem) in
            try jobs.job(try jobs.row(id), at: now)
        }
    }

    /// A still, verified whole, or a film or clip, whose length is verified and which is read in parts; throws as
    /// ``picture(of:until:)``.
    package func file(of id: FrameID, until deadline: MonotonicTime) async throws(Problem) -> StoredFile {
        let (row, bytes) = try await storage.read("look up the picture", until: deadline) {
            [folder, files = storage.files] reader -> (FrameRow, [UInt8])? in
            reader.row(id).flatMap { row in
                guard row.kind == nil else { return StoredPicture.isThere(row, in: folder, files) ? (row, []) : nil }
                return StoredPicture.bytes(of: row, in: folder, files).map { (row, $0) }
            }
        } otherwise: { spool throws(Problem) in
            (try spool.catalog.frame(id), try spool.picture(of: id))
        }
        guard row.kind == nil else { return stored("\(folder)/\(row.path)", row.bytes) }
        return StoredFile(mediaType: FrameKind.mediaType(of: row.path), bytes)
    }

    private static let partTime = Duration.seconds(10)

    private func stored(_ path: String, _ bytes: Int) -> StoredFile {
        StoredFile(mediaType: FrameKind.mediaType(of: path), bytes: bytes) { [self] part throws(Problem) in
            try await storage.read("read a file", until: clock.now + Self.partTime) { [files = storage.files] _ in
                (try? files.read(path, part)).flatMap { $0.count == part.count ? $0 : nil }
            } otherwise: { spool throws(Problem) in
                do throws(FileError) {
                    let bytes = try spool.files.read(path, part)
                    guard bytes.count == part.count else { throw FileError("read", path, code: ENOENT) }
                    return bytes
                } catch  where error.code == ENOENT {
                    throw Problem(.frameNotFound, "\(error)", remedy: "It was deleted meanwhile: ask for another.")
                } catch {
                    throw error.problem
                }
            }
        }
    }

    /// Row of a film or clip; throws `deadline-exceeded` while the file of an earlier attempt may still be found.
    private func video(_ id: String, until deadline: MonotonicTime) async throws(Problem) -> JobRow {
        try await step("look up the job", until: deadline) { spool, jobs, _ throws(Problem) in
            let row = try jobs.row(id)
            guard row.kind != .upload else { throw row.conflict("is an upload.", "Name a film or clip.") }
            guard !row.state.isOpen || row.frame == nil || !spool.comparison.isDue else {
                throw .late("compare folder and catalog", spool.folder)
            }
            return row
        }
    }

    private func contents(ofClip row: JobRow, until deadline: MonotonicTime) async throws(Problem) -> RecordingContents
    {
        let (path, time) = (path(ofRecording: row.id), try row.options(ClipOptions.self).beforeMs.duration)
        let contents = try await writes.perform("read the recording", until: deadline) {
            [self] (files) throws(FileError) in
            // Thousands of reads: once for a recording that does not grow any more.
            let size = try files.size(ofFile: path)
            let known = recording.withLock { $0.flatMap { $0.path == path && $0.size == size ? $0.contents : nil } }
            if let known { return known }
            let contents = try RecordingContents(of: path, posterAt: time, files)
            recording.withLock { $0 = (path, size, contents) }
            return contents
        }
        guard contents.pictures == 0 else { return contents }
        let detail = "The recording has no whole picture."
        throw Problem(.configurationConflict, detail, remedy: "Record again (tintype record).")
    }

    /// Record of a film or clip that was made, and the picture for its poster, empty for none.
    private func record(
        of row: JobRow,
        _ result: VideoResult,
        _ pictures: FilmPictures,
        until deadline: MonotonicTime
    ) async throws(Problem) -> (StillRecord, picture: [UInt8]) {
        var (from, until, count, picture) = (pictures.from, pictures.until, pictures.count, [UInt8]())
        let tags: [String]
        if row.kind == .clip {
            let contents = try await contents(ofClip: row, until: deadline)
            let (options, path) = (try row.options(ClipOptions.self), path(ofRecording: row.id))
            picture = try await writes.perform("read the recording", until: deadline) { (files) throws(FileError) in
                try files.read(path, contents.poster)
            }
            (from, until, count) = (options.from, options.from + contents.end + options.cut, contents.pictures)
            tags = options.tags
        } else {
            if let id = pictures.poster { picture = (try? await self.picture(of: id, until: deadline)) ?? [] }
            tags = try row.options(FilmRequest.self).tags
        }
        guard let from, result.pictures <= count else {
            let detail = "is \(result.pictures), but \(count) were read."
            throw .invalid(field: "video.pictures", detail, remedy: "Make it of its pictures only.")
        }
        let known = row.frame.flatMap { $0.isOf(from) ? $0 : nil }
        var record = StillRecord(
            id: known ?? FrameID(at: from),
            camera: row.camera ?? "",
            bytes: result.bytes,
            width: result.width,
            height: result.height,
            sequence: 0,
            capturedAt: from,
            timestampSource: .dequeue
        )
        (record.stored, record.kind, record.until) = (.durable, row.kind == .clip ? .clip : .film, until)
        (record.durationMs, record.pictures) = (result.durationMs, result.pictures)
        record.tags = tags.isEmpty ? nil : tags
        return (record, picture)
    }
}

extension FilmRequest {
    fileprivate var pictures: FrameFilter { .all([filter, .is(.kind(.still)), .is(.lost(false))]) }
}

struct ClipOptions: Codable, Sendable {
    /// Capture time of the first picture.
    let from: Timestamp
    let beforeMs: Milliseconds
    let tags: [String]
    /// Time of pauses; nil while it is recorded.
    var cutMs: Milliseconds?

    var cut: Duration { cutMs?.duration ?? .zero }

    init(_ request: ClipRequest, from: Timestamp) {
        (self.from, beforeMs, tags) = (from, request.beforeMs, request.tags)
    }
}
