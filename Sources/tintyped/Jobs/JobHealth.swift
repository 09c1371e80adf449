// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import TintypeSystem

/// Troubles of one job that were told, and the next one.
struct JobHealth: Sendable {
    /// Time for which lost pictures are a fault of the daemon.
    static let memory = Duration.seconds(86_400)
    /// Time for which pictures wait without a worker before that is a fault of the daemon.
    static let patience = Duration.seconds(60)

    private(set) var isBehind = false
    private(set) var loss: (count: Int, last: MonotonicTime)?
    /// Lost pictures as of the last look.
    private var lost: Int?

    /// Notes a job as of a look, and returns events; `limit` is nil for a job that was asked for.
    mutating func update(_ job: Job, behindAfter limit: Duration?, _ now: Now) -> [Event] {
        var events: [Event] = []
        let more = job.lost - (lost ?? job.lost)
        if more > 0 {
            let before = loss.map { $0.last + Self.memory > now.time ? $0.count : 0 } ?? 0
            loss = (before + more, now.time)
            events.append(.lost(more, of: job))
        }
        lost = job.lost
        let oldest = job.state == .pending ? job.oldest : nil
        let wasBehind = isBehind
        isBehind = if let oldest, let limit { oldest + limit <= now.wall } else { false }
        if isBehind, !wasBehind, let oldest { events.append(.behind(job, since: oldest)) }
        return events
    }
}

extension JobBoard {
    /// Faults of jobs as of the last looks.
    func reasons(_ now: Now) -> [HealthReason] {
        var reasons: [HealthReason] = []
        if let unattended, unattended + JobHealth.patience <= now.time {
            let texts = Job.Kind.allCases.compactMap { kind -> String? in
                let count = jobs.reduce(0) { $0 + ($1.kind == kind && needsWorker($1) ? $1.waiting : 0) }
                let noun = kind == .upload ? "picture" : kind.rawValue
                let text = CountText.text(count, "\(noun) waits", "\(noun)s wait")
                return count == 0 ? nil : kind == .upload ? "\(text) for an upload" : text
            }
            let detail = "\(texts.joined(separator: ", ")), and no worker is connected."
            let remedy =
                "Run “sudo systemctl enable --now tintype-worker”, or “tintype work” if tintyped is no service."
            reasons.append(HealthReason(.jobWaiting, detail, remedy: remedy))
        }
        for job in jobs.sorted(by: { ($0.label, $0.spool) < ($1.label, $1.spool) }) {
            let shown = shown(job, now)
            func add(_ code: HealthReason.Code, _ detail: String, remedy: String) {
                var reason = HealthReason(code, detail, remedy: remedy)
                reason.job = job.id
                reasons.append(reason)
            }
            let error = shown.error ?? "Some pictures were refused."
            if job.state == .failed {
                let remedy = "Correct that, then run “tintype jobs retry \(job.id)”, or delete the job."
                add(.jobFailed, Event.failed(job, because: error).detail, remedy: remedy)
            } else if [.pending, .running].contains(job.state), pauses[job.id]?.attempts ?? 0 >= JobPause.patience {
                let first =
                    job.kind == .upload ? "Look at the target and the network" : "See “tintype jobs” for the error"
                let remedy = "\(first); it is tried again by itself."
                add(.jobFailed, "\(job.title) fails. \(error)", remedy: remedy)
            } else if let oldest = job.oldest, health[job.id]?.isBehind == true {
                let remedy = "Look at the target and the network, and see “tintype jobs”."
                add(.jobBehind, Event.behind(job, since: oldest).detail, remedy: remedy)
            }
            if let loss = health[job.id]?.loss, loss.last + JobHealth.memory > now.time {
                let count = CountText.text(loss.count, "picture was", "pictures were")
                let detail = "\(job.title) lost pictures: in the last day \(count) deleted before their delivery."
                let remedy = "Give the spool more room (retention), or the upload a faster target."
                add(.picturesLost, detail, remedy: remedy)
            }
        }
        return reasons
    }
}

/// Pause of a job after attempts without a success; not stored, so a restart of the daemon ends it.
struct JobPause: Hashable, Sendable {
    /// Attempts in a row from which failures are those of pictures, not of the target.
    static let patience = 3
    /// Upper limit of ``passed``.
    private static let mostPassed = 500

    /// Attempts in a row.
    private(set) var attempts = 0
    private(set) var end = MonotonicTime(nanoseconds: 0)
    private(set) var error: String?
    /// Pictures that have failed in these attempts, which the next one passes over if there are others.
    private(set) var passed: Set<FrameID> = []

    /// Charges a failed attempt to its pictures.
    mutating func pass(over pictures: [FrameID]) {
        passed = passed.count + pictures.count > Self.mostPassed ? Set(pictures) : passed.union(pictures)
    }

    /// Doubles the pause; `share` of it, at random so that jobs do not retry at once.
    mutating func add(_ error: String?, at now: MonotonicTime, share: Double = .random(in: 0.5...1)) {
        end = now + Job.firstPause.backoff(after: attempts, upTo: Job.longestPause) * share
        attempts += 1
        self.error = error
    }
}
