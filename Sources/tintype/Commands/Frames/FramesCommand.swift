// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// The command `tintype frames`: lists them where no subcommand is named.
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
            FramesListCommand.self, FramesShowCommand.self, FramesOpenCommand.self, FramesExportCommand.self,
            FramesPinCommand.self, FramesUnpinCommand.self, FramesTagCommand.self, FramesRemoveCommand.self,
            FramesVerifyCommand.self, FramesStatsCommand.self, FramesRetentionCommand.self,
        ],
        defaultSubcommand: FramesListCommand.self
    )

    @OptionGroup var shared: SharedOptions
}
