// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

struct FramesStatsCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Show the state, the contents and the free space of each spool."
    )

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        try write(try await client.spools()) { list in
            PrintedText(list.spools.map { SpoolText.report($0, width: width) }, separator: "\n")
        }
    }
}

struct FramesVerifyCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Compare the files of the spool with its catalog, and repair the differences.",
        discussion: """
            Adds rows for whole pictures without one, moves files that are not whole to .quarantine, and marks \
            rows without a file as lost. Exit status 3: pictures are missing, not whole or damaged, or could not be \
            read. Pictures that were lost before count, too.
            """
    )

    @OptionGroup var shared: SharedOptions

    @Flag(help: "Read every picture and compare it with its checksum.")
    var deep = false

    @Option("Only this spool.", "name")
    var spool: String?

    func run() async throws {
        let progress = ProgressBar(isShown: !isJSON)
        let list = try await progress.during(state) {
            try await client.verify(VerificationRequest(deep: deep, spool: spool))
        }
        try write(list) { PrintedText($0.reports.map(SpoolText.verification), separator: "\n") }
        if let problem = Problem(unavailable: list.unavailable ?? []) { throw problem }
        if list.reports.contains(where: \.hasLosses) { throw ExitCode(DoctorCommand.unhealthy) }
    }

    /// Returns a closure for the progress reported by the daemon and the time elapsed since this call.
    private var state: @Sendable () async -> (fraction: Double?, label: String) {
        let (client, spool) = (self.client, self.spool)
        let elapsed = ProgressBar.elapsed
        return {
            // Ignores errors: the verification request itself reports them.
            let reports = (try? await client.spools().spools) ?? []
            let going = reports.filter { spool == nil || $0.spool == spool }.compactMap(\.verification)
            guard let progress = VerificationProgress(sum: going) else { return elapsed() }
            return (progress.fraction, "\(progress.text), \(elapsed().label)")
        }
    }
}

extension VerificationReport {
    /// True if pictures are missing or damaged, or may be.
    fileprivate var hasLosses: Bool {
        lost > 0 || missing > 0 || unread > 0 || quarantined > 0 || damaged?.isEmpty == false
    }
}

extension VerificationProgress {
    fileprivate init?(sum all: [VerificationProgress]) {
        guard !all.isEmpty else { return nil }
        let sum = { (part: KeyPath<Self, Int>) in all.reduce(0) { $0 + $1[keyPath: part] } }
        self.init(files: sum(\.files), frames: sum(\.frames), of: sum(\.of))
    }

    /// Fraction of catalog rows compared; nil before that phase, as the number of files is unknown.
    fileprivate var fraction: Double? { of > 0 ? Double(frames) / Double(of) : nil }

    var text: String { of > 0 ? "\(frames)/\(CountText.text(of, "frame"))" : CountText.text(files, "file") }
}

extension ProgressBar {
    /// Returns a closure for the time elapsed since this call, for work without known progress.
    static var elapsed: @Sendable () -> (fraction: Double?, label: String) {
        let start = ContinuousClock.now
        return { (nil, SpokenDuration.text(ContinuousClock.now - start)) }
    }
}

struct FramesRetentionCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "retention",
        abstract: "Show which frames the retention rules would delete, and why.",
        discussion: """
            The daemon applies the rules automatically. It deletes nothing by age while the clock is not \
            synchronised, nor for 24 hours after the clock was set by more than an hour, unless --confirm says \
            that the clock is right.
            """
    )

    @OptionGroup var shared: SharedOptions

    @Flag(help: "Delete them now.")
    var apply = false

    @Flag(help: "Confirm that the clock is right after a large step, and delete them now.")
    var confirm = false

    @Flag(help: "Delete nothing (the default); with --confirm: show the frames that it would delete.")
    var dryRun = false

    @Option("Only this spool.", "name")
    var spool: String?

    func validate() throws {
        if apply, dryRun { throw ValidationError("Give either --apply or --dry-run.") }
    }

    func run() async throws {
        let isDryRun = dryRun || !apply && !confirm
        let request = RetentionRequest(dryRun: isDryRun, confirm: confirm, spool: spool)
        let progress = ProgressBar(isShown: !isJSON)
        let list = try await progress.during(ProgressBar.elapsed) { try await client.retention(request) }
        try write(list) { PrintedText($0.reports.map { SpoolText.retention($0, width: width) }, separator: "\n") }
        if let problem = Problem(unavailable: list.unavailable ?? []) { throw problem }
    }
}
