// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype cameras`.
struct CamerasCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "cameras",
        abstract: "List the cameras, and a configuration line for each; opens no camera."
    )

    @OptionGroup var shared: SharedOptions

    func answer() async throws {
        let list = try await client.cameras()
        guard !isJSON else { return try write(json: list) }
        let output = StandardStream.output
        try output.write(CameraReport.table(list.cameras, width: output.width))
        try output.write(CameraReport.configuration(list.cameras))
    }
}
