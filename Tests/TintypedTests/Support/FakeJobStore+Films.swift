// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import TintypeModel

@testable import tintyped

/// Films and clips of a spool in memory.
extension FakeJobStore {
    /// Adds the job of a film of so many pictures, or of a clip.
    func add(_ id: String, _ kind: Job.Kind, pictures: Int = 0, _ change: (inout Job) -> Void = { _ in }) {
        var video = VideoOrder(kind == .film ? .film : .clip)
        if kind == .film { (video.film, video.pictures) = (FilmStyle(), pictures) } else { video.bytes = 100 }
        add(id, pictures: 0, video: video) { job in
            (job.kind, job.camera, job.target) = (kind, "garden", "mp4")
            change(&job)
        }
    }

    /// Stores a frame of a camera.
    @discardableResult
    func keep(_ time: Timestamp, of camera: String, _ kind: FrameKind? = nil, tags: [String]? = nil) -> FrameID {
        var still = StillRecord(at: time, camera: camera)
        (still.kind, still.tags) = (kind, tags)
        let record = FrameRecord(still: still, storedAt: time)
        kept.withLock { $0.append(record) }
        return record.id
    }

    func frames(_ query: FrameQuery, until deadline: MonotonicTime) async throws(Problem) -> FramePage {
        try await answer(until: deadline)
        let all = kept.withLock { $0 }.filter { Self.matches($0.still, query.filter) }.sorted { $0.id < $1.id }
        // As a search that takes long: its first page is empty.
        if isSlow.withLock({ $0 }), query.cursor == nil {
            return FramePage(frames: [], next: FrameCursor(.oldest, after: FrameID(firstOf: 0)))
        }
        let rest = all.filter { frame in query.cursor.map { $0.last < frame.id } ?? true }
        let page = Array(rest.prefix(query.limit))
        let next = page.count < rest.count ? page.last.map { FrameCursor(.oldest, after: $0.id) } : nil
        return FramePage(frames: page, next: next)
    }

    private static func matches(_ still: StillRecord, _ filter: FrameFilter) -> Bool {
        switch filter {
        case .all(let filters): filters.allSatisfy { matches(still, $0) }
        case .is(.camera(let name)): still.camera == name
        case .is(.from(let time)): still.capturedAt >= time
        case .is(.to(let time)): still.capturedAt < time
        case .is(.kind(let kind)): (still.kind ?? .still) == kind
        case .is(.tag(let tag)): still.tags?.contains(tag) == true
        default: false
        }
    }

    func addFilm(_ request: FilmRequest, id: String?, until deadline: MonotonicTime) async throws(Problem) -> Job {
        try await answer(until: deadline)
        if isRebuilding.withLock({ $0 }) {
            throw Problem(.spoolUnavailable, "The catalog is being rebuilt.", remedy: "Ask again.")
        }
        let id = id ?? "film"
        if let job = job(id) { return job }
        films.withLock { $0.append(request) }
        add(id, .film, pictures: 3) { $0.camera = request.filter.camera }
        return try changed(id) { _ in }
    }

    func videoOrder(ofJob id: String, until deadline: MonotonicTime) async throws(Problem) -> VideoOrder {
        await reading.withLock { $0 }()
        try await answer(until: deadline)
        if let failure = orderFailure.withLock({ $0 }) { throw failure }
        if let order = entries.withLock({ $0[id]?.video }) { return order }
        throw Problem(.configurationConflict, "The recording has no whole picture.", remedy: "Record again.")
    }

    func videoPictures(
        ofJob id: String,
        after cursor: FrameCursor?,
        until deadline: MonotonicTime
    ) async throws(Problem) -> FramePage {
        try await frames(FrameQuery(order: .oldest, limit: 2, cursor: cursor), until: deadline)
    }

    func recording(ofJob id: String, until deadline: MonotonicTime) async throws(Problem) -> StoredFile {
        recordings.withLock { $0 += 1 }
        try await answer(until: deadline)
        return StoredFile(mediaType: "application/octet-stream", Array(id.utf8))
    }

    func receive(
        _ bytes: [UInt8],
        at offset: Int,
        ofVideo job: String,
        until deadline: MonotonicTime
    ) async throws(Problem) {
        try await answer(until: deadline)
        _ = try changed(job) { $0.received = Array($0.received.prefix(offset)) + bytes }
    }

    func storeVideo(
        ofJob id: String,
        _ result: VideoResult,
        of pictures: FilmPictures,
        until deadline: MonotonicTime
    ) async throws(Problem) -> Job {
        await storing.withLock { $0 }()
        if let refusal = refusal.withLock({ $0 }) { throw refusal }
        try await answer(until: deadline)
        return try changed(id) { entry throws(Problem) in
            guard entry.job.state == .pending else {
                throw Problem(.configurationConflict, "It is \(entry.job.state).", remedy: "Wait.")
            }
            (entry.job.state, entry.result, entry.read) = (.done, result, pictures)
            entry.job.frame = FrameID(at: entry.job.createdAt)
        }
    }
}

/// Recordings that a test begins and ends.
final class FakeRecordings: ClipRecordings {
    let active = Mutex<[String: Double]>([:])
    let events = Mutex<[JobState.Event]>([])

    var applied: [JobState.Event] { events.withLock { $0 } }

    func isActive(_ id: String) -> Bool { progress(id) != nil }
    func apply(_ event: JobState.Event, _ id: String) { if isActive(id) { events.withLock { $0.append(event) } } }
    func progress(_ id: String) -> Double? { active.withLock { $0[id] } }
}
