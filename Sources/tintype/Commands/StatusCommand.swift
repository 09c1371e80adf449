// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype status [CAMERA]`.
struct StatusCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the status of the daemon and its cameras; opens no camera."
    )

    @OptionGroup var shared: SharedOptions

    @Argument(help: "The camera; without it all cameras.", completion: Completion.cameras)
    var camera: String?

    func answer() async throws {
        let client = client
        if let camera {
            let status = try await client.camera(camera)
            guard !isJSON else { return try write(json: status) }
            try StandardStream.output.write(StatusReport.text(status))
            return
        }
        let (health, list) = try await client.withConnection { connection in
            (try await connection.health(), try await connection.cameras())
        }
        guard !isJSON else { return try write(json: list) }
        let daemon: PrintedText = "tintyped \(health.version) at \(client.socket): \(health.status)\n"
        let cameras: [PrintedText] = list.cameras.isEmpty ? ["No camera.\n"] : list.cameras.map(StatusReport.text)
        try StandardStream.output.write(PrintedText([daemon] + cameras, separator: "\n"))
    }
}
