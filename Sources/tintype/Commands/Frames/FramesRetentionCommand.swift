// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype frames retention`.
struct FramesRetentionCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "retention",
        abstract: "Tell which frames the rules of retention would delete, and why.",
        discussion: """
            The daemon applies the rules by itself. Nothing is deleted by age while the clock is not synchronised, nor \
            for 24 hours after it was set by more than an hour, unless --confirm says that it is right.
            """
    )

    @OptionGroup var shared: SharedOptions

    @Flag(help: "Delete them now.")
    var apply = false

    @Flag(help: "Say that the clock is right although it was set by much, and delete them now.")
    var confirm = false

    @Flag(help: "Delete nothing, which is the default; with --confirm: tell what would be deleted then.")
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
            try StandardStream.output.write(list.reports.map(SpoolText.retention).joined(separator: "\n"))
        }
        if let problem = Problem(unavailable: list.unavailable ?? []) { throw problem }
    }
}
