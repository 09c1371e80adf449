// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import Synchronization
internal import TintypeAPI
internal import TintypeModel
internal import TintypeSystem

extension JobScheduler {
    func connect(_ client: String) throws(Problem) -> any WorkSession {
        let session = WorkerSession(self)
        let other = change { board, now -> String? in
            if let worker = board.worker { return worker.client }
            board.worker = (ObjectIdentifier(session), client)
            board.noteWorker(now.time)
            return nil
        }
        wake()
        guard let other else { return session }
        let remedy = "Stop one of the two: tintype-worker.service, or a “tintype work” of another user."
        throw Problem(.configurationConflict, "A worker is connected already (\(other)).", remedy: remedy)
    }

    /// Ends the claims of the worker with this session, or of any for nil; no effect on the one that came after it.
    func disconnect(_ session: ObjectIdentifier?) {
        change { board, now in
            guard let worker = board.worker, session ?? worker.session == worker.session else { return }
            board.worker = nil
            board.endBatches()
            board.noteWorker(now.time)
        }
    }
}

/// Connected worker; its release disconnects it.
final class WorkerSession: WorkSession {
    /// Longest time without an order.
    static let pause = Duration.seconds(5)
    private let scheduler: JobScheduler

    init(_ scheduler: JobScheduler) { self.scheduler = scheduler }

    deinit { end() }

    func next() async -> WorkOrder? {
        let end = scheduler.clock.now + Self.pause
        while !Task.isCancelled {
            let (order, isOver) = scheduler.board.withLock { board in
                board.worker?.session == ObjectIdentifier(self) ? (board.takeOrder(), false) : (nil, true)
            }
            if isOver { return nil }
            if let order { return order }
            guard scheduler.clock.now < end else { return WorkOrder(.idle) }
            await scheduler.orderWaker.sleep(until: end)
        }
        return nil
    }

    func end() { scheduler.disconnect(ObjectIdentifier(self)) }
}

/// Films and clips that the worker makes.
extension JobScheduler {
    /// Most bytes by which a film or clip is larger than its pictures: room is made for it.
    private static let container = 64 << 20

    func addFilm(_ request: FilmRequest) async throws(Problem) -> Job {
        let camera = board.withLock(\.cameras).first { $0.name == request.filter.camera }
        let store = try store(named: request.spool ?? camera?.spoolName)
        let job = try await store.addFilm(request, id: nil, until: longDeadline)
        wake()
        return job
    }

    func pictures(of batch: String, after cursor: FrameCursor?) async throws(Problem) -> FramePage {
        let (claimed, store) = try claimed(batch) { $0.video?.kind == .film }
        let page = try await store.videoPictures(ofJob: claimed.job.id, after: cursor, until: deadline)
        let pictures = Dictionary(page.frames.map { ($0.id, $0.still.bytes) }) { first, _ in first }
        change { board, _ in
            board.update(batch) { batch in
                batch.pictures = pictures
                batch.read.add(page.frames, of: batch.video?.pictures ?? 0)
            }
        }
        return page
    }

    func recording(of batch: String) async throws(Problem) -> StoredFile {
        let (claimed, store) = try claimed(batch) { $0.video?.kind == .clip }
        if let recording = claimed.recording { return recording }
        let recording = try await store.recording(ofJob: claimed.job.id, until: longDeadline)
        change { board, _ in board.update(batch) { $0.recording = recording } }
        return recording
    }

    func receive(_ bytes: [UInt8], at offset: Int, of batch: String) async throws(Problem) {
        let (claimed, store) = try claimed(batch) { $0.video != nil }
        guard offset <= (claimed.video?.bytes ?? claimed.read.bytes) + Self.container - bytes.count else {
            throw .invalid(field: "offset", "is far more than its pictures have.", remedy: "Make it of these alone.")
        }
        try await store.receive(bytes, at: offset, ofVideo: claimed.job.id, until: deadline)
    }
}

/// Films by schedule.
extension JobScheduler {
    /// Longest time between two readings of the wall clock, which may be set, and until another attempt.
    private static let glance = Duration.seconds(60)

    /// Adds the films that are due: at the start, at their times, and after a reload; until cancelled.
    func addFilms() async {
        var added: [String: FilmRequest] = [:]
        var failing: Set<String> = []
        while !Task.isCancelled {
            var next: Timestamp?
            for camera in board.withLock(\.cameras) {
                guard let film = camera.film else { continue }
                let day = film.day(dueAt: clock.wall)
                let due = film.time(on: day + 2)
                next = min(next ?? due, due)
                let request = film.request(of: camera.name, on: day)
                guard added[camera.name] != request else { continue }
                do throws(Problem) {
                    if try await add(request, of: camera, on: day) { added[camera.name] = request }
                    failing.remove(camera.name)
                } catch {
                    guard !Task.isCancelled else { return }
                    let isFirst = failing.insert(camera.name).inserted
                    let text: Logger.Message = "the film of the day cannot be added: \(error)"
                    logger.log(level: isFirst ? .warning : .debug, text, metadata: ["camera": "\(camera.name)"])
                }
            }
            await filmWaker.sleep(until: next.map { clock.now + min(max($0 - clock.wall, .zero), Self.glance) })
        }
    }

    /// Adds the film of a day, unless there is one; false while the day has no pictures, which a catalog that is being
    /// rebuilt may still get.
    private func add(_ request: FilmRequest, of camera: CameraConfiguration, on day: Int) async throws(Problem) -> Bool
    {
        let store = try store(named: camera.spoolName)
        var query = FrameQuery(filter: request.filter.ofStillsUnlessAsked, limit: 1)
        while true {
            let page = try await store.frames(query, until: deadline)
            if !page.frames.isEmpty { break }
            guard page.next != nil else { return false }
            query.cursor = page.next
        }
        _ = try await store.addFilm(request, id: FilmSettings.job(of: camera.name, on: day), until: longDeadline)
        wake()
        return true
    }
}
