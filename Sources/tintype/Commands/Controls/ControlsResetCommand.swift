// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype controls reset [CAMERA]`.
struct ControlsResetCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Give every control its default, and then what the configuration wishes.",
        discussion: "What was set by command, and a profile that was applied, are forgotten. Lists what was changed."
    )

    @OptionGroup var shared: SharedOptions

    @Argument(help: "The camera; may be left out where there is only one.")
    var camera: String?

    func answer() async throws {
        let list = try await asking(camera) { try await $0.resetControls(of: $1) }
        try report(list)
    }
}
