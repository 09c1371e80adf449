// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import TintypeSystem

/// Jobs as of the last look at each spool, and the batches of the worker, which end with its reply.
struct JobBoard {
    /// Pictures that the worker uploads, or the film or clip that it makes; one batch of a job at a time.
    struct Batch {
        let id: String
        let job: Job
        let upload: UploadOptions?
        let video: VideoOrder?
        let deletes: Bool
        /// Bytes of the pictures that the worker may read; of a film, those of its last page.
        var pictures: [FrameID: Int]
        /// All pictures of a film that were on a page.
        var read = FilmPictures()
        /// Time of the last request of the worker for it.
        var asked: MonotonicTime
        /// Pictures to upload without a result.
        var rest: Set<FrameID>
        /// Of a clip; found once, since its pictures are counted for that.
        var recording: StoredFile?
        /// Part of the film or clip that is made, from 0 to 1.
        var progress = 0.0
        var hasSuccess = false
        /// Bytes sent, and those of delivered pictures.
        var bytes = (sent: 0, delivered: 0)
        /// Time of the order to stop.
        var stopped: MonotonicTime?
    }

    /// One spool.
    struct View {
        var jobs: [Job] = []
        /// Number of calls of ``JobBoard/replace(_:_:)``.
        var changes = 0
        /// The last look has failed: its jobs take no place from those of other spools.
        var isLate = false
        /// Rules that have other options since they failed.
        var retried: Set<String> = []
    }

    /// Time for the worker to stop a batch; then its place is free.
    private static let stopLimit = Duration.seconds(10)
    /// Time without a request after which a film or clip is given up: an older worker ignores its order.
    private static let silence = Duration.seconds(60)

    var uploads: [UploadSettings]
    var settings: JobSettings
    var cameras: [CameraConfiguration]
    private let recordings: (any ClipRecordings)?
    var views: [String: View]
    private(set) var batches: [Batch] = []
    /// Jobs whose next batch is being read from the catalog.
    private var reserved: Set<String> = []
    /// Jobs without a picture that is due, as of the last look.
    private var empty: Set<String> = []
    /// Jobs whose film or clip the spool stores, also after the end of its batch.
    var storing: Set<String> = []
    var pauses: [String: JobPause] = [:]
    var worker: (session: ObjectIdentifier, client: String)?
    private(set) var orders: [WorkOrder] = []
    /// By the id of the job.
    var health: [String: JobHealth] = [:]
    /// Jobs by command that have had a batch since the start of the daemon.
    private var began: Set<String> = []
    /// Time since when pictures wait and no worker is connected.
    private(set) var unattended: MonotonicTime?

    init(_ configuration: DaemonConfiguration, spools: [String], _ recordings: (any ClipRecordings)?) {
        (uploads, settings, cameras) = (configuration.uploads, configuration.jobs, configuration.cameras)
        self.recordings = recordings
        views = Dictionary(uniqueKeysWithValues: spools.map { ($0, View()) })
    }

    var jobs: [Job] { views.sorted { $0.key < $1.key }.flatMap(\.value.jobs) }
    var hasOpenJobs: Bool { jobs.contains(where: Self.isOpen) }

    /// False for a job with which nothing happens before a command.
    private static func isOpen(_ job: Job) -> Bool { job.state == .pending || job.rule != nil && job.state.isOpen }

    /// Time until the next look at a spool; nil for none before a change.
    func pause(of spool: String) -> Duration? {
        if views[spool]?.isLate == true { return .seconds(10) }
        guard views[spool]?.jobs.contains(where: Self.isOpen) == true else { return nil }
        return .seconds(worker == nil ? 60 : 1)
    }

    /// Rule of the configuration that a job is of.
    func rule(of job: Job) -> UploadSettings? {
        uploads.first { $0.name == job.rule && $0.spool ?? job.spool == job.spool }
    }

    /// Adopts the jobs of a spool, and orders batches to stop that may not continue; returns events.
    ///
    /// Nil, without effect, if one was replaced since `changes`: as they were read, it may have run still.
    mutating func update(_ spool: String, _ jobs: [Job], since changes: Int?, _ now: Now) -> [Event]? {
        guard let view = views[spool] else { return [] }
        guard view.changes == changes else { return nil }
        let gone = Set(view.jobs.map(\.id)).subtracting(jobs.map(\.id))
        empty.subtract(view.jobs.map(\.id))
        for id in gone {
            pauses[id] = nil
            health[id] = nil
        }
        views[spool]?.jobs = jobs
        views[spool]?.isLate = false
        stopBatches(now)
        noteWorker(now.time)
        return jobs.flatMap { job in
            health[job.id, default: JobHealth()].update(job, behindAfter: patience(with: job), now)
        }
    }

    /// Age of a waiting picture from which a rule is behind; with hours, one that was not uploaded in a whole day.
    private func patience(with job: Job) -> Duration? {
        rule(of: job).map { $0.hours == nil ? settings.behind : settings.behind + .seconds(86_400) }
    }

    /// Notes since when pictures wait without a worker.
    mutating func noteWorker(_ now: MonotonicTime) {
        unattended = worker == nil && jobs.contains(where: needsWorker) ? unattended ?? now : nil
    }

    func needsWorker(_ job: Job) -> Bool { job.state == .pending && job.waiting > 0 && !isRecorded(job) }
    func isRecorded(_ job: Job) -> Bool { job.kind == .clip && recordings?.isActive(job.id) == true }

    /// A job after a command or a report, in place of what is known of it.
    mutating func replace(_ job: Job, _ now: Now) {
        guard let index = views[job.spool]?.jobs.firstIndex(where: { $0.id == job.id }) else { return }
        views[job.spool]?.jobs[index] = job
        views[job.spool]?.changes += 1
        stopBatches(now)
    }

    /// Events of jobs to end, as their last pictures were deleted, and to start again, as their rules have other options.
    mutating func overdue(in spool: String) -> [(job: Job, event: JobState.Event)] {
        guard let view = views[spool] else { return [] }
        let failed = view.jobs.filter { $0.state == .failed && $0.rule.map(view.retried.contains) == true }
        views[spool]?.retried = Set(failed.compactMap(\.rule))
        let ended = view.jobs.filter { $0.rule == nil && $0.waiting == 0 && waits($0) }
        return failed.map { ($0, .retry) } + ended.map { ($0, .finish) }
    }

    /// True for a job that waits for pictures or for a batch of them.
    private func waits(_ job: Job) -> Bool {
        job.state == .pending && !batches.contains { $0.job.id == job.id } && !reserved.contains(job.id)
            && !storing.contains(job.id)
    }
}

/// The batches of the worker.
extension JobBoard {
    /// A job of this spool that may have a batch now, by priority among those of all spools; its place is taken.
    mutating func reserve(in spool: String, _ now: Now) -> Job? {
        let places = settings.atOnce - batches.count - reserved.count
        guard worker != nil, places > 0 else { return nil }
        let ready = views.filter { $0.key == spool || !$0.value.isLate }.values.flatMap(\.jobs)
            .filter { isReady($0, now) }
            .sorted { ($1.priority, $0.createdAt, $0.id) < ($0.priority, $1.createdAt, $1.id) }
        // One at a time: each takes all of a core.
        let video = makesVideo ? nil : ready.first { $0.kind != .upload }?.id
        let next = ready.filter { $0.kind == .upload || $0.id == video }.prefix(places)
        guard let job = next.first(where: { $0.spool == spool }) else { return nil }
        reserved.insert(job.id)
        return job
    }

    private var makesVideo: Bool {
        !storing.isEmpty || batches.contains { $0.video != nil }
            || jobs.contains { $0.kind != .upload && reserved.contains($0.id) }
    }

    private func isReady(_ job: Job, _ now: Now) -> Bool {
        guard waits(job), needsWorker(job), !empty.contains(job.id), mayRun(job, now) else { return false }
        return pauses[job.id].map { $0.end <= now.time } ?? true
    }

    /// False for a rule that is not of the configuration, and outside of its hours.
    private func mayRun(_ job: Job, _ now: Now) -> Bool {
        guard job.rule != nil else { return true }
        guard let rule = rule(of: job) else { return false }
        return rule.hours(at: now.wall).map { $0.first <= now.wall } ?? (rule.hours == nil)
    }

    /// Orders the worker to begin a reserved job, unless it has gone or there is no `order`; true for the beginning of
    /// a job by command.
    mutating func begin(_ job: Job, _ order: WorkOrder?, _ now: Now) -> Bool {
        guard reserved.remove(job.id) != nil else { return false }
        guard var order, worker != nil else {
            empty.insert(job.id)
            return false
        }
        let pictures = order.pictures ?? []
        let byID = Dictionary(pictures.map { ($0.id, $0.bytes) }) { first, _ in first }
        let batch = Batch(
            id: Job.newID(),
            job: job,
            upload: order.upload,
            video: order.video,
            deletes: rule(of: job)?.deletes ?? false,
            pictures: byID,
            asked: now.time,
            rest: Set(byID.keys)
        )
        batches.append(batch)
        (order.batch, order.job) = (batch.id, job.id)
        if order.upload?.record != true { for index in pictures.indices { order.pictures?[index].record = nil } }
        orders.append(order)
        // A command may have come meanwhile.
        stopBatches(now)
        return job.rule == nil && job.done + job.failed == 0 && began.insert(job.id).inserted
    }

    /// Orders the worker to stop batches that may not continue, and frees the places of those that have not stopped.
    mutating func stopBatches(_ now: Now) {
        batches.removeAll { batch in batch.stopped.map { $0 + Self.stopLimit <= now.time } ?? false }
        for (index, batch) in batches.enumerated() where batch.stopped == nil {
            let job = views[batch.job.spool]?.jobs.first { $0.id == batch.job.id }
            let isSame = batch.job.rule == nil || rule(of: batch.job)?.options == batch.upload
            let isSilent = batch.video != nil && batch.asked + Self.silence <= now.time
            if !isSilent, let job, job.state == .pending, isSame, mayRun(job, now) { continue }
            // It ends by itself.
            if batch.video == nil ? batch.rest.isEmpty : storing.contains(batch.job.id) { continue }
            if isSilent { pauses[batch.job.id, default: JobPause()].add("The worker did not answer.", at: now.time) }
            batches[index].stopped = now.time
            orders.append(WorkOrder(.stop, batch: batch.id))
        }
    }

    /// The batch of a request of the worker.
    mutating func batch(_ id: String, at now: Now) -> Batch? {
        update(id) { $0.asked = now.time }
        return batches.first { $0.id == id }
    }

    /// Notes results that are stored; the batch as it is after them, nil if it has ended meanwhile.
    mutating func note(_ report: WorkReport, on id: String) -> Batch? {
        guard let index = batches.firstIndex(where: { $0.id == id }) else { return nil }
        batches[index].rest.subtract(report.done + report.failures.map(\.id))
        batches[index].bytes.sent = max(batches[index].bytes.sent, report.bytes)
        batches[index].bytes.delivered += report.done.reduce(0) { $0 + (batches[index].pictures[$1] ?? 0) }
        batches[index].progress = min(max(batches[index].progress, report.progress ?? 0), 1)
        if !report.done.isEmpty || report.video != nil {
            batches[index].hasSuccess = true
            pauses[batches[index].job.id] = nil
        }
        return report.isOver ? batches.remove(at: index) : batches[index]
    }

    mutating func update(_ id: String, _ update: (inout Batch) -> Void) {
        guard let index = batches.firstIndex(where: { $0.id == id }) else { return }
        update(&batches[index])
    }

    /// Ends all claims, as the worker has gone.
    mutating func endBatches() { (batches, orders, reserved) = ([], [], []) }
    mutating func takeOrder() -> WorkOrder? { orders.isEmpty ? nil : orders.removeFirst() }

    /// A job with what is not stored.
    func shown(_ job: Job, _ now: Now) -> Job {
        var job = job
        if isRecorded(job) {
            job.state = job.state.next(after: .begin) ?? job.state
            (job.running, job.progress) = (job.state == .running ? 1 : 0, recordings?.progress(job.id))
        } else if let batch = batches.first(where: { $0.job.id == job.id && $0.stopped == nil }) {
            job.state = job.state.next(after: .begin) ?? job.state
            job.running = batch.video == nil ? batch.rest.count : 1
            job.bytes += max(0, batch.bytes.sent - batch.bytes.delivered)
            if batch.video != nil { job.progress = batch.progress }
        }
        guard let pause = pauses[job.id] else { return job }
        job.attempts = pause.attempts
        job.error = pause.error ?? job.error
        if pause.end > now.time { job.nextAttempt = now.wall + (pause.end - now.time) }
        return job
    }
}

/// One moment by both clocks.
struct Now: Sendable {
    let time: MonotonicTime
    let wall: Timestamp

    init(_ clock: any MonotonicClock) { (time, wall) = (clock.now, clock.wall) }
}
