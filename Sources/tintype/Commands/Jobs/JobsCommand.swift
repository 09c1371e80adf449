// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

struct JobsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs",
        abstract: "Show and control uploads, films and clips.",
        discussion: """
            Without a subcommand, lists the jobs as “list” does: the rules (uploads in tintyped.yaml(5)), then the jobs \
            of “tintype upload”, films and clips. A rule may be named by its name instead of its id.
            """,
        subcommands: [
            JobsListCommand.self, JobsStateCommand<PauseVerb>.self, JobsStateCommand<ResumeVerb>.self,
            JobsStateCommand<RetryVerb>.self, JobsStateCommand<CancelVerb>.self, JobsStateCommand<DeleteVerb>.self,
            JobsPriorityCommand.self, JobsWaitCommand.self,
        ],
        defaultSubcommand: JobsListCommand.self
    )

    @OptionGroup var shared: SharedOptions
}

struct JobsListCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the jobs.",
        discussion: """
            --follow shows the progress until Ctrl-C: on a terminal as a table with bars, else a line for each job that \
            has changed, with --json as JSON.
            """
    )

    @OptionGroup var shared: SharedOptions

    @Flag(help: "Show the progress until Ctrl-C.")
    var follow = false

    func run() async throws {
        guard follow else {
            return try write(try await client.jobs()) { JobReport.text($0, at: .now(), width: width) }
        }
        var (shown, height): ([String: [UInt8]], Int) = ([:], 0)
        while true {
            let list = try await client.jobs()
            if isJSON || width == nil {
                for job in list.jobs {
                    let line = try line(job)
                    if shown.updateValue(line, forKey: job.id) != line { try StandardStream.output.write(line) }
                }
            } else {
                let text = JobReport.text(list, at: .now(), width: width)
                try StandardStream.output.write(JobReport.redrawn(text, over: &height))
            }
            try await Task.sleep(for: .seconds(1))
        }
    }

    private func line(_ job: Job) throws -> [UInt8] {
        if isJSON { return try JSONText.encode(job, pretty: false) + [UInt8(ascii: "\n")] }
        return Array(JobReport.line(job).string.utf8)
    }
}

/// Command that changes jobs; `event` is nil to delete them.
protocol JobVerb {
    static var event: JobState.Event? { get }
    static var abstract: String { get }
}

enum PauseVerb: JobVerb {
    static let event: JobState.Event? = .pause
    static let abstract = "Stop jobs for now; a transfer stops within a second, and its pictures wait."
}

enum ResumeVerb: JobVerb {
    static let event: JobState.Event? = .resume
    static let abstract = "Undo “pause”."
}

enum RetryVerb: JobVerb {
    static let event: JobState.Event? = .retry
    static let abstract = "Try again now: failed jobs, and pictures that were refused."
}

enum CancelVerb: JobVerb {
    static let event: JobState.Event? = .cancel
    static let abstract = "End jobs other than rules: pictures are not uploaded, a film or clip is not stored."
}

enum DeleteVerb: JobVerb {
    static let event: JobState.Event? = nil
    static let abstract = "Remove jobs that have ended from the list."
}

struct JobsStateCommand<Verb: JobVerb>: DaemonCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: Verb.event?.rawValue ?? "delete", abstract: Verb.abstract)
    }

    @OptionGroup var shared: SharedOptions

    @Argument(help: "The ids of jobs, or the names of rules.", completion: Completion.jobs)
    var ids: [String]

    func run() async throws {
        for job in try await jobs(ids) {
            guard let event = Verb.event else {
                try await client.deleteJob(job.id)
                continue
            }
            try write(try await client.changeJob(job.id, by: event)) { JobReport.line($0) }
        }
    }
}

extension DaemonCommand {
    /// Jobs of all words: by id, else the rule of that name in each spool.
    fileprivate func jobs(_ words: [String]) async throws -> [Job] {
        let list = try await client.jobs().jobs
        var chosen: [Job] = []
        for word in words {
            let found = list.filter { $0.id == word }
            let jobs = found.isEmpty ? list.filter { $0.rule == word } : found
            guard !jobs.isEmpty else { throw Problem.noJob(word) }
            chosen += jobs.filter { !chosen.contains($0) }
        }
        return chosen
    }
}

struct JobsPriorityCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "priority",
        abstract: "Set the priority of a job: jobs of a higher one go first.",
        discussion: "A rule gets the priority of the configuration again when tintyped starts."
    )

    @OptionGroup var shared: SharedOptions

    @Argument(help: "The id of a job, or the name of a rule.", completion: Completion.jobs)
    var id: String

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp(
            "A number from \(Job.priorityRange.lowerBound) to \(Job.priorityRange.upperBound).",
            valueName: "number"
        ),
        transform: { try OptionText.integer($0, in: Job.priorityRange) }
    )
    var priority: [Int]

    func validate() throws {
        try ensure(priority.count == 1, "Give one job and one number.")
    }

    func run() async throws {
        for job in try await jobs([id]) {
            try write(try await client.changeJob(job.id, JobChange(priority: priority[0]))) { JobReport.line($0) }
        }
    }
}

struct JobsWaitCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Wait until a job is done, or until no picture of a rule waits.",
        discussion: "Exit status 1: the job has failed, or was cancelled."
    )

    @OptionGroup var shared: SharedOptions

    @Argument(help: "The id of a job, or the name of a rule.", completion: Completion.jobs)
    var id: String

    func run() async throws {
        for job in try await jobs([id]) { try await wait(for: job) }
    }
}

extension DaemonCommand {
    /// Shows the progress until a job has ended, then the job.
    func wait(for job: Job) async throws {
        let job = try await ended(job)
        try write(job) { JobReport.line($0) }
        if job.state == .failed || job.state == .cancelled { throw ExitCode.failure }
    }

    /// Shows the progress and errors until a job has ended, and says if it waits for a worker.
    func ended(_ job: Job) async throws -> Job {
        var (job, pending, shown) = (job, 0, String?.none)
        let progress = ProgressBar(isShown: !isJSON)
        defer { progress.clear() }
        while !job.hasEnded {
            progress.update(job.fraction, job.kind == .upload ? "\(job.done)/\(job.total)" : job.state.rawValue)
            try await Task.sleep(for: .seconds(1))
            job = try await client.job(job.id)
            pending = job.state == .pending ? pending + 1 : 0
            if !job.hasEnded, let error = job.error, error != shown {
                shown = error
                progress.clear()
                try StandardStream.error.write("\(error)\n")
            }
            guard pending == 3, try await !client.jobs().worker else { continue }
            progress.clear()
            try StandardStream.error.write(JobReport.noWorker)
        }
        return job
    }
}

enum JobReport {
    static let noWorker: PrintedText = "No worker is connected: sudo systemctl enable --now tintype-worker\n"

    /// Table of the jobs, and what to do if pictures wait and no worker is connected.
    static func text(_ list: JobList, at now: Timestamp, width: Int?) -> PrintedText {
        let columns: [TextTable.Column<Job>] = [
            .init("ID", 1, \.id), .init("KIND", 2, \.kind.rawValue), .init("RULE", 3, \.rule),
            .init("STATE", 4, \.state.rawValue), .init("WAITING", 5, \.waiting), .init("DONE", 6, \.done),
            .init("PROGRESS", 8, bar),
            .init("OLDEST", 9) {
                $0.oldest.map {
                    SpokenDuration.text(.seconds(max(0, (now.microseconds - $0.microseconds) / 1_000_000)))
                }
            },
            .init("TARGET", 10, cutTo: 8) { job in job.camera.map { "\($0), \(job.target)" } ?? job.target },
            .init("ERROR", 7, cutTo: 8, \.error),
        ]
        var text = TextTable(list.jobs, columns).text(width: width)
        if !list.worker, list.jobs.contains(where: { $0.waiting > 0 }) { text += noWorker }
        for spool in list.unavailable ?? [] { text += "The spool \(spool) does not answer: its jobs are left out.\n" }
        return text
    }

    /// For example `k3v9qa2m (site): failed, 12 wait, 3 done; rclone: …`, or `k3v9qa2m (film of garden): running`.
    static func line(_ job: Job) -> PrintedText {
        let of = job.rule ?? job.camera.map { "\(job.kind.rawValue) of \($0)" }
        let name = of.map { "\(job.id) (\($0))" } ?? job.id
        var counts = [(job.waiting, "wait"), (job.done, "done"), (job.failed, "refused"), (job.lost, "lost")]
        if job.kind != .upload { counts = [] }
        let parts = [job.state.rawValue] + counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return "\(name): \(parts.joined(separator: ", "))\(job.error.map { "; \($0)" } ?? "")\n"
    }

    private static func bar(_ job: Job) -> String {
        guard let fraction = job.fraction else { return "" }
        let percent = "\(Int(fraction * 100)) %"
        return ProgressBar.line(fraction, percent, width: percent.count + 14)
    }

    /// Control sequences that replace a text of `height` lines, which becomes the number of lines of `text`.
    static func redrawn(_ text: PrintedText, over height: inout Int) -> [UInt8] {
        let up = height > 0 ? "\u{1B}[\(height)A\r\u{1B}[J" : ""
        height = text.string.utf8.count { $0 == UInt8(ascii: "\n") }
        return Array((up + text.string).utf8)
    }
}

extension Job {
    fileprivate var hasEnded: Bool {
        switch state {
        case .done, .failed, .cancelled: true
        case .pending, .running, .paused: rule != nil && waiting == 0
        }
    }

    var total: Int { done + waiting + failed }

    /// Delivered part, from 0 to 1; nil for a job without pictures.
    var fraction: Double? { progress ?? (total > 0 ? Double(done) / Double(total) : nil) }
}
