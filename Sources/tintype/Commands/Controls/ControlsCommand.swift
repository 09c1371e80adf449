// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// The command `tintype controls`: lists them where no subcommand is named.
struct ControlsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "controls",
        abstract: "List, set and save a camera's controls.",
        discussion: """
            Without a subcommand, lists the controls as “list” does. A closed camera is opened for the command and \
            closed again.
            """,
        subcommands: [
            ControlsListCommand.self, ControlsSetCommand.self, ControlsResetCommand.self, ProfilesCommand.self,
        ],
        defaultSubcommand: ControlsListCommand.self
    )

    @OptionGroup var shared: SharedOptions
}
