// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype status [CAMERA]`.
struct StatusCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the status of the daemon and its cameras; opens no camera.",
        discussion: """
            The first line says whether all works (ok), something does not (degraded), or no camera gives pictures or \
            no spool takes them (failing), with the reasons and what to do. The exit status is 0, \
            \(Health.Level.degraded.exitStatus) or \(Health.Level.failing.exitStatus) then. With CAMERA it is 0.
            """
    )

    @OptionGroup var shared: SharedOptions

    @Argument(help: "The camera; without it all cameras.", completion: Completion.cameras)
    var camera: String?

    func answer() async throws {
        let client = client
        if let camera {
            let status = try await client.camera(try CameraChoice.checked(camera))
            guard !isJSON else { return try write(json: status) }
            try StandardStream.output.write(StatusReport.text(status))
            return
        }
        let (health, list) = try await client.withConnection { connection in
            (try await connection.health(), try await connection.cameras())
        }
        if isJSON {
            try write(json: Document(health: health, cameras: list.cameras))
        } else {
            let daemon = HealthReport.text(health, socket: client.socket)
            let cameras: [PrintedText] = list.cameras.isEmpty ? ["No camera.\n"] : list.cameras.map(StatusReport.text)
            try StandardStream.output.write(PrintedText([daemon] + cameras, separator: "\n"))
        }
        if health.status != .ok { throw ExitCode(health.status.exitStatus) }
    }

    /// The JSON of `--json` for all cameras.
    private struct Document: Encodable {
        let health: Health
        let cameras: [CameraStatus]
    }
}
