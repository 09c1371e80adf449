// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype controls profiles list [CAMERA]`.
struct ProfilesListCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the profiles of the configuration and those that were saved."
    )

    @OptionGroup var shared: SharedOptions

    @Argument(help: "The camera; may be left out where there is only one.")
    var camera: String?

    func answer() async throws {
        let list = try await client.withConnection { connection in
            try await connection.profiles(of: try await CameraChoice.name(camera, at: connection))
        }
        guard !isJSON else { return try write(json: list) }
        try StandardStream.output.write(ControlReport.table(list.profiles))
    }
}
