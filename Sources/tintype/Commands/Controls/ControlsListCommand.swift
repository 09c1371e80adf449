// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype controls list [CAMERA]`.
struct ControlsListCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the controls with their values, ranges, defaults and flags."
    )

    @OptionGroup var shared: SharedOptions

    @Argument(help: .camera, completion: Completion.cameras)
    var camera: String?

    func answer() async throws {
        let list = try await asking(camera) { try await $0.controls(of: $1) }
        guard !isJSON else { return try write(json: list) }
        try StandardStream.output.write(ControlReport.table(list.controls, width: StandardStream.output.width))
    }
}
