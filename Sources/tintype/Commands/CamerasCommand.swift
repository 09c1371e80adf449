// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype cameras`.
struct CamerasCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "cameras",
        abstract: "List the cameras, and what to put into the configuration for each; opens none."
    )

    @OptionGroup var shared: SharedOptions

    func answer() async throws {
        let list = try await client.cameras()
        guard !isJSON else { return try write(json: list) }
        let text = CameraReport.table(list.cameras) + CameraReport.configuration(list.cameras)
        try StandardStream.output.write(text)
    }
}
