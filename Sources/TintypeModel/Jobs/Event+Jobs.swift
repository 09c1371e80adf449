// SPDX-License-Identifier: Apache-2.0

extension Job {
    /// Subject of a sentence: `The upload “cloud”` for a rule, `The job k3v9qa2m` for another.
    package var title: String { rule.map { "The upload “\($0)”" } ?? "The job \(id)" }
    /// Name in metrics: that of the rule, or the id.
    package var label: String { rule ?? id }
}

extension Event {
    package static func began(_ job: Job) -> Event {
        about(job, .jobBegan, "\(job.title) has begun: \(CountText.text(job.waiting, "picture")) to \(job.target).")
    }

    package static func done(_ job: Job) -> Event {
        about(job, .jobDone, "\(job.title) is done: \(CountText.text(job.done, "picture")) to \(job.target).")
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
