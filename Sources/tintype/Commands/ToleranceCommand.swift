// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype tolerance [CAMERA] [--reset]`.
struct ToleranceCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "tolerance",
        abstract: "Show the faults that all pictures of a camera have, or forget them.",
        discussion: "Stills with integrity “tolerant” accept these faults; “strict” stills never do."
    )

    @OptionGroup var shared: SharedOptions

    @Argument(help: .camera, completion: Completion.cameras)
    var camera: String?

    @Flag(help: "Forget them; the daemon learns them again.")
    var reset = false

    func answer() async throws {
        let status = try await client.withConnection { connection in
            let name = try await CameraChoice.name(camera, at: connection)
            return reset ? try await connection.resetTolerance(of: name) : try await connection.camera(name)
        }
        guard !isJSON else { return try write(json: status) }
        let quirks = status.tolerance ?? []
        let words = quirks.isEmpty ? ["no tolerance"] : quirks.map(\.text)
        for word in words { try StandardStream.output.write("\(status.name): \(word)\n") }
    }
}
