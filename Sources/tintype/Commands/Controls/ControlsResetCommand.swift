// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype controls reset [CAMERA]`.
struct ControlsResetCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Set every control to its default, then to its configured value.",
        discussion: "Forgets values that were set by command, and an applied profile. Lists the changes."
    )

    @OptionGroup var shared: SharedOptions

    @Argument(help: .camera, completion: Completion.cameras)
    var camera: String?

    func answer() async throws {
        let list = try await asking(camera) { try await $0.resetControls(of: $1) }
        try report(list)
    }
}
