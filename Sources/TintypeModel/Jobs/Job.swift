// SPDX-License-Identifier: Apache-2.0

/// A piece of work on stored pictures that lasts over restarts: a rule of the configuration, or an order by command.
package struct Job: Equatable, Codable, WireObject {
    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable, WireType {
        case upload, film, clip
    }

    package var id: String
    package var kind = Kind.upload
    package var rule: String?
    package var spool: String
    package var camera: String?
    package var source: String
    package var target: String
    package var state = JobState.pending
    package var priority = 0
    package var waiting = 0
    package var running = 0
    package var done = 0
    package var failed = 0
    package var lost = 0
    package var bytes = 0
    package var progress: Double?
    package var frame: FrameID?
    package var attempts = 0
    package var nextAttempt: Timestamp?
    package var error: String?
    package var oldest: Timestamp?
    package var lastSuccess: Timestamp?
    package var createdAt: Timestamp
    package var endedAt: Timestamp?
    package static let priorityRange = -100...100
    /// Time for which a job of no rule is kept after it was done or cancelled, and the number of them that are listed.
    package static let memory = Duration.seconds(7 * 86_400)
    package static let mostEnded = 1000
    /// Pause before an attempt after one that failed, which doubles, and its upper limit.
    package static let firstPause = Duration.seconds(5)
    package static let longestPause = Duration.seconds(3600)

    package init(id: String, rule: String?, spool: String, source: String, target: String, createdAt: Timestamp) {
        (self.id, self.rule, self.spool) = (id, rule, spool)
        (self.source, self.target, self.createdAt) = (source, target, createdAt)
    }

    package static let idLength = 8

    /// New random id, such as `k3v9qa2m`: 40 random bits.
    package static func newID() -> String {
        let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
        return String((0..<idLength).map { _ in letters[Int.random(in: letters.indices)] })
    }

    package static let summary = "A job: what it uploads, where to, and how far it is."
    package static let fields: [Field] = [
        Field("id", \.id, "Its id."),
        Field("kind", \.kind, "The kind of work."),
        Field("rule", \.rule, "The rule of the configuration (uploads); missing for a job that was asked for."),
        Field("spool", \.spool, "The spool of its pictures."),
        Field("camera", \.camera, "The camera of a film or clip; missing for an upload."),
        Field("source", \.source, "The filter that selects its pictures; for a clip, its time before and after."),
        Field("target", \.target, "The target, without the path of an address; for a film or clip, its format."),
        Field("state", \.state, "Its state."),
        Field("priority", \.priority, "Jobs of a higher priority go first.", .range(priorityRange)),
        Field("waiting", \.waiting, "Pictures that wait or are under way; 1 for a film or clip.", .notNegative),
        Field("running", \.running, "Pictures with the worker; 1 for a film or clip under way.", .notNegative),
        Field("done", \.done, "Pictures delivered; those of a stored film or clip.", .notNegative),
        Field("failed", \.failed, "Pictures that the target refused for good.", .notNegative),
        Field("lost", \.lost, "Pictures that were deleted before they were delivered.", .notNegative),
        Field("bytes", \.bytes, "Bytes of the delivered pictures, or of the stored film or clip.", .notNegative),
        Field("progress", \.progress, "Part that is done of a job that was asked for, from 0 to 1.", .range(0...1)),
        Field("frame", \.frame, "The id of the film or clip, once it is stored."),
        Field("attempts", \.attempts, "Attempts in a row that failed.", .notNegative),
        Field("nextAttempt", \.nextAttempt, "The time of the next attempt, after one that failed."),
        Field("error", \.error, "The last error; missing after a success."),
        Field("oldest", \.oldest, "The capture time of the oldest picture that waits."),
        Field("lastSuccess", \.lastSuccess, "The time of the last delivery."),
        Field("createdAt", \.createdAt, "The time at which the job was made."),
        Field("endedAt", \.endedAt, "The time at which it was done, failed or cancelled."),
    ]
}

package struct JobList: Equatable, Codable, WireObject {
    package var jobs: [Job]
    package var worker: Bool
    package var unavailable: [String]?

    package init(jobs: [Job], worker: Bool, unavailable: [String]? = nil) {
        (self.jobs, self.worker, self.unavailable) = (jobs, worker, unavailable)
    }

    package static let summary = "Every job: rules first, then the others, newest first."
    package static let fields: [Field] = [
        Field("jobs", \.jobs, "The jobs."),
        Field("worker", \.worker, "Whether a worker (tintype work) is connected."),
        Field("unavailable", \.unavailable, "The spools that do not answer; missing if all do."),
    ]
}

/// Body of `PATCH /v1/jobs/{id}`.
package struct JobChange: Hashable, WireObject, WireRequest {
    package var priority = 0
    package init() {}
    package init(priority: Int) { self.priority = priority }
    package static let summary = "A change of a job."
    package static let fields: [Field] = [
        Field("priority", \.priority, "Jobs of a higher priority go first.", .range(Job.priorityRange))
    ]
}

extension Problem {
    /// A rule ends with the configuration only; `participle` is that of a command.
    package static func isRule(_ job: Job, _ participle: String) -> Problem {
        let name = job.rule ?? job.id
        return Problem(
            .configurationConflict,
            "\(job.title) is a rule of the configuration, and cannot be \(participle) by command.",
            remedy: "Pause it (tintype jobs pause \(name)), or remove it from the configuration and reload that."
        )
    }

    package static func noJob(_ id: String) -> Problem {
        Problem(.notFound, "There is no job “\(id)”.", remedy: "“tintype jobs” lists the jobs.")
    }
}

/// State of a job; docs/reference/jobs.md has the same table.
package enum JobState: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// Waits for the worker, for its turn, for its hours, or for the next attempt.
    case pending
    /// The worker has a batch of its pictures; not stored, since a restart of the daemon ends every batch.
    case running
    case paused
    /// All pictures are delivered; only for a job that was asked for.
    case done
    /// The target refuses everything until something is corrected, or some pictures are refused for good.
    case failed
    case cancelled

    package enum Event: String, CaseIterable, Sendable {
        case begin
        /// The batch has ended, and others wait.
        case yield
        case finish
        case fail
        case pause
        case resume
        case cancel
        case retry
    }

    /// The only place where states follow each other; nil for an event that the state refuses.
    package func next(after event: Event) -> JobState? {
        switch (self, event) {
        case (.pending, .begin): .running
        case (.running, .yield): .pending
        case (.pending, .finish), (.running, .finish): .done
        case (.pending, .fail), (.running, .fail): .failed
        case (.pending, .pause), (.running, .pause): .paused
        case (.paused, .resume), (.failed, .retry), (.pending, .retry), (.done, .retry): .pending
        case (.pending, .cancel), (.running, .cancel), (.paused, .cancel), (.failed, .cancel): .cancelled
        default: nil
        }
    }

    /// True if the job keeps pictures waiting; its deliveries keep pictures with `keepUntil: uploaded`.
    package var isOpen: Bool { self != .done && self != .cancelled }
}

extension Job {
    /// Subject of a sentence: `The upload “cloud”` for a rule, `The film k3v9qa2m of garden`, `The job k3v9qa2m`.
    package var title: String {
        guard kind == .upload else { return "The \(kind.rawValue) \(id)\(camera.map { " of \($0)" } ?? "")" }
        return rule.map { "The upload “\($0)”" } ?? "The job \(id)"
    }
    package var label: String { rule ?? id }
}

extension Event {
    /// `pictures`: number of those of a film or clip, if it is known.
    package static func began(_ job: Job, pictures: Int? = nil) -> Event {
        guard job.kind != .clip else { return about(job, .jobBegan, "\(job.title) is recorded, and its file is made.") }
        return about(job, .jobBegan, "\(job.title) has begun\(count(pictures ?? job.waiting, of: job)).")
    }

    package static func done(_ job: Job, pictures: Int? = nil) -> Event {
        about(job, .jobDone, "\(job.title) is done\(count(pictures ?? job.done, of: job)).")
    }

    private static func count(_ pictures: Int, of job: Job) -> String {
        ": \(CountText.text(pictures, "picture"))\(job.kind == .upload ? " to \(job.target)" : "")"
    }

    package static func failed(_ job: Job, because error: String?) -> Event {
        about(job, .jobFailed, "\(job.title) has failed. \(error ?? "Some pictures were refused.")")
    }

    package static func behind(_ job: Job, since oldest: Timestamp) -> Event {
        let waiting = CountText.text(job.waiting, "picture waits", "pictures wait")
        return about(job, .jobBehind, "\(job.title) is behind: \(waiting), the oldest since \(oldest).")
            .with(\.since, oldest)
    }

    package static func lost(_ count: Int, of job: Job) -> Event {
        let pictures = CountText.text(count, "picture was", "pictures were")
        let who = "t\(job.title.dropFirst())"
        return about(job, .picturesLost, "\(pictures) deleted before \(who) delivered them.").with(\.lost, count)
    }

    private static func about(_ job: Job, _ kind: Kind, _ detail: String) -> Event {
        Event(kind, spool: job.spool, detail).with(\.job, job.id)
    }
}
