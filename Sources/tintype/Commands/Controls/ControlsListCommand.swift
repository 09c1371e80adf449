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

    @Argument(help: "The camera; may be left out where there is only one.")
    var camera: String?

    func answer() async throws {
        let list = try await client.withConnection { connection in
            try await connection.controls(of: try await CameraChoice.name(camera, at: connection))
        }
        guard !isJSON else { return try write(json: list) }
        try StandardStream.output.write(ControlReport.table(list.controls))
    }
}
