// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype frames retention`.
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

    @Option(help: ArgumentHelp("Only this spool.", valueName: "name"))
    var spool: String?

    func validate() throws {
        if apply, dryRun { throw ValidationError("Give either --apply or --dry-run.") }
    }

    func answer() async throws {
        let isDryRun = dryRun || !apply && !confirm
        let request = RetentionRequest(dryRun: isDryRun, confirm: confirm, spool: spool)
        let progress = ProgressBar(isShown: !isJSON)
        let list = try await progress.during(ProgressBar.elapsed) { try await client.retention(request) }
        if isJSON {
            try write(json: list)
        } else {
            let width = StandardStream.output.width
            let reports = list.reports.map { SpoolText.retention($0, width: width) }
            try StandardStream.output.write(PrintedText(reports, separator: "\n"))
        }
        if let problem = Problem(unavailable: list.unavailable ?? []) { throw problem }
    }
}
