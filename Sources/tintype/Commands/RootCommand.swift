// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

/// `tintype`; all work is done by subcommands.
struct RootCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tintype",
        abstract: "Take stills from the cameras that tintyped keeps ready.",
        discussion: ExitStatusTable.text,
        version: TintypeVersion.current,
        subcommands: [
            AccessCommand.self, BurstCommand.self, CamerasCommand.self, ConfigureCommand.self,
            ControlsCommand.self, DoctorCommand.self, FormatsCommand.self, FramesCommand.self, HoldCommand.self,
            ReleaseCommand.self, ReloadCommand.self, StartCommand.self, StatusCommand.self, StillCommand.self,
            StopCommand.self, TokenCommand.self, ToleranceCommand.self, WatchCommand.self,
        ]
    )

    /// ArgumentParser passes options before the subcommand to the subcommand's group of the same name.
    @OptionGroup var shared: SharedOptions
}
