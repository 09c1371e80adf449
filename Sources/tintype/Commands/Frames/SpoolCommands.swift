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

    /// Progress that the daemon reports; ignores errors, which the verification request itself reports.
    private var state: @Sendable () async -> (fraction: Double?, label: String)? {
        { [client, spool] in
            let reports = (try? await client.spools().spools) ?? []
            let going = reports.filter { spool == nil || $0.spool == spool }.compactMap(\.verification)
            return VerificationProgress(sum: going).map { ($0.fraction, $0.text) }
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
        let list = try await progress.during { try await client.retention(request) }
        try write(list) { PrintedText($0.reports.map { SpoolText.retention($0, width: width) }, separator: "\n") }
        if let problem = Problem(unavailable: list.unavailable ?? []) { throw problem }
    }
}

enum SpoolText {
    static func report(_ report: SpoolReport, width: Int? = nil) -> PrintedText {
        var lines = LabelledLines()
        lines.add("folder", report.folder)
        lines.add(report.state.reason)
        lines.add("since", report.state.since)
        lines.add("limit", report.limit.map { "\($0.durability.rawValue): \($0.sentence)" })
        lines.add("verifying", report.verification?.text)
        let heading: PrintedText = "\(report.spool): \(report.state.name.rawValue)\n"
        guard let statistics = report.statistics else { return heading + lines.text() }
        let total = statistics.total
        lines.add("frames", "\(total.frames), \(HumanBytes.rounded(total.bytes)) bytes")
        if let oldest = total.oldest, let newest = total.newest { lines.add("captured", "\(oldest) to \(newest)") }
        for (name, count) in [
            ("pinned", total.pinned), ("lost", total.lost), ("quarantined", statistics.quarantined),
        ] where count > 0 { lines.add(name, count) }
        lines.add("free", "\(HumanBytes.rounded(statistics.freeBytes)) bytes")
        return heading + lines.text() + cameras(statistics.cameras, width: width)
    }

    private static func cameras(_ cameras: [String: FrameTotals], width: Int?) -> PrintedText {
        guard !cameras.isEmpty else { return "" }
        let table = TextTable(
            cameras.sorted { $0.key < $1.key },
            [
                .init("CAMERA", cutTo: 8, \.key), .init("FRAMES") { $0.value.frames },
                .init("BYTES") { HumanBytes.rounded($0.value.bytes) }, .init("OLDEST", cutTo: 8, \.value.oldest),
                .init("NEWEST", cutTo: 8, \.value.newest),
            ]
        )
        return "\n\(table.text(width: width))"
    }

    static func verification(_ report: VerificationReport) -> PrintedText {
        let counts: [(name: String, count: Int, what: String)] = [
            ("taken in", report.takenIn, "whole pictures without a row"),
            ("found again", report.found, "had been lost"),
            ("lost", report.lost, "their files are gone"),
            ("missing", report.missing, "all pictures without a file, those lost before too"),
            ("unread", report.unread, "files or folders that could not be read or moved; see the log"),
            ("quarantined", report.quarantined, "not whole, moved to .quarantine"),
            ("foreign", report.foreign, "not files of the spool, left alone"),
            ("removed", report.removed, "files of deleted frames"),
            ("leftovers", report.leftovers, "of interrupted writes, removed"),
            ("damaged", report.damaged?.count ?? 0, "their bytes differ from those that were stored"),
        ]
        let found = counts.filter { $0.count > 0 }
        guard !found.isEmpty else {
            return "\(report.spool): folder and catalog agree\(report.isDeep ? ", and every picture is whole" : "")\n"
        }
        var lines = LabelledLines()
        for (name, count, what) in found { lines.add(name, "\(count) (\(what))") }
        let damaged = PrintedText((report.damaged ?? []).map { id -> PrintedText in "    \(id)\n" })
        return "\(report.spool):\n\(lines.text())\(damaged)"
    }

    static func retention(_ report: RetentionReport, width: Int? = nil) -> PrintedText {
        let verb = report.isDryRun ? "would be deleted" : "deleted"
        let frames = CountText.text(report.frames, "frame")
        var text: PrintedText = "\(report.spool): \(frames), \(HumanBytes.rounded(report.bytes)) bytes, \(verb)"
        if report.keptByPin > 0 { text += "; kept by a pin: \(report.keptByPin)" }
        text += "\n"
        if let withheld = report.withheld { text += "\(withheld)\n" }
        guard !report.victims.isEmpty else { return text }
        let table = TextTable(
            report.victims,
            [
                .init("ID", 1, \.id), .init("CAMERA", 3, cutTo: 8, \.camera),
                .init("CAPTURED", 4, cutTo: 8, \.capturedAt),
                .init("BYTES", 5) { HumanBytes.rounded($0.bytes) }, .init("RULE", 2, cutTo: 8, \.rule),
            ]
        )
        let more = report.frames - report.victims.count
        return text + table.text(width: width) + (more > 0 ? "and \(more) more\n" : "")
    }
}
