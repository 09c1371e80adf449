// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

struct FramesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "frames",
        abstract: "List, fetch, keep and delete stored frames.",
        discussion: """
            Without a subcommand, lists the newest frames as “list” does. A filter selects frames by conditions \
            such as camera:front, tag:alarm, since:7d, bytes>2M and pinned; a comma means that all conditions must \
            hold; any(…), all(…) and not combine them. See tintype-frames(1).
            """,
        subcommands: [
            FramesListCommand.self, FramesShowCommand.self, FramesExportCommand.self, FramesPinCommand.self,
            FramesUnpinCommand.self, FramesTagCommand.self, FramesRemoveCommand.self, FramesVerifyCommand.self,
            FramesStatsCommand.self, FramesRetentionCommand.self,
        ],
        defaultSubcommand: FramesListCommand.self
    )

    @OptionGroup var shared: SharedOptions
}

struct FramesListCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List stored frames, the newest first.",
        discussion: "With --json it prints {\"frames\": […]}, a line for each."
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var option: FilterOption

    @Option(help: "The order: newest or oldest first (default: newest).")
    var order = FrameOrder.newest

    @Option("The largest number of frames (default: 50).", "number", in: 1...10_000_000)
    var limit: Int?

    @Flag(help: "List all frames.")
    var all = false

    @Option(
        help: ArgumentHelp(
            "Print this for each, with fields such as {id}, {path} or {tags} filled in; \\t, \\n and \\0 as in C.",
            valueName: "template"
        ),
        transform: { try FrameTemplate($0) }
    )
    var format: FrameTemplate?

    func validate() throws {
        try ensure(limit == nil || !all, "Give either --limit or --all.")
        try ensure(!isJSON || format == nil, "Give either --json or --format.")
    }

    func run() async throws {
        let (filter, most) = (option.filter ?? .everything, all ? nil : limit ?? 50)
        var isCutOff = false
        try await FrameLines.print(isJSON: isJSON, template: format) { lines in
            try await client.pages(of: filter, order, most: most) { frames, hasMore in
                try StandardStream.output.write(try lines.lines(frames))
                isCutOff = hasMore
            }
        }
        // Also if stdout is a file or pipe, where a truncated list is easily overlooked.
        guard isCutOff, limit == nil, StandardStream.error.isTerminal else { return }
        try? StandardStream.error.write("There are more: see --limit, --all and --where.\n")
    }
}

extension FrameOrder: ExpressibleByArgument {}

struct FramesShowCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show all details of stored frames.",
        discussion: """
            Without ids and --where: the newest frame. With --json it prints {"frames": […]}, a line for each.
            """
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var choice: FrameChoice

    func run() async throws {
        var isFirst = true
        try await FrameLines.print(isJSON: isJSON) { lines in
            try await client.records(of: choice) { frames in
                guard !isJSON else { return try StandardStream.output.write(try lines.lines(frames)) }
                for frame in frames {
                    try StandardStream.output.write((isFirst ? "" : "\n") + FrameReport.text(frame))
                    isFirst = false
                }
            }
        }
    }
}
