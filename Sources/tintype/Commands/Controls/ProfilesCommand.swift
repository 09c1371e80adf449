// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// The command `tintype controls profiles`: lists them where no subcommand is named.
struct ProfilesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profiles",
        abstract: "List, save, apply, compare and remove named sets of control values.",
        subcommands: [
            ProfilesListCommand.self, ProfileSaveCommand.self, ProfileApplyCommand.self, ProfileDiffCommand.self,
            ProfileRemoveCommand.self,
        ],
        defaultSubcommand: ProfilesListCommand.self
    )

    @OptionGroup var shared: SharedOptions
}
