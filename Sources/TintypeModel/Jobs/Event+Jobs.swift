// SPDX-License-Identifier: Apache-2.0

extension Job {
    /// Subject of a sentence: `The upload “cloud”` for a rule, `The film k3v9qa2m of garden`, `The job k3v9qa2m`.
    package var title: String {
        guard kind == .upload else { return "The \(kind.rawValue) \(id)\(camera.map { " of \($0)" } ?? "")" }
        return rule.map { "The upload “\($0)”" } ?? "The job \(id)"
    }
    /// Name in metrics: that of the rule, or the id.
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
