// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype controls profiles list [CAMERA]`.
struct ProfilesListCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the configured and the saved profiles."
    )

    @OptionGroup var shared: SharedOptions

    @Argument(help: .camera, completion: Completion.cameras)
    var camera: String?

    func answer() async throws {
        let list = try await asking(camera) { try await $0.profiles(of: $1) }
        guard !isJSON else { return try write(json: list) }
        try StandardStream.output.write(ControlReport.table(list.profiles, width: StandardStream.output.width))
    }
}
