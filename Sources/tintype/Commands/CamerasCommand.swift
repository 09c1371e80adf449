// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype cameras`.
struct CamerasCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "cameras",
        abstract: "List the cameras; opens none."
    )

    @OptionGroup var shared: SharedOptions

    func answer() async throws {
        let list = try await client.cameras()
        guard !isJSON else { return try write(json: list) }
        try StandardStream.output.write(CameraReport.table(list.cameras))
    }
}
