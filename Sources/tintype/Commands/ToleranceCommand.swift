// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype tolerance [CAMERA] [--reset]`.
struct ToleranceCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "tolerance",
        abstract: "Tell what the pictures of a camera always have wrong, and forget it.",
        discussion: "Stills with integrity “tolerant” put up with it, “strict” ones never do."
    )

    @OptionGroup var shared: SharedOptions

    @Argument(help: "The camera; may be left out where there is only one.")
    var camera: String?

    @Flag(help: "Forget it: it is learned anew.")
    var reset = false

    func answer() async throws {
        let status = try await client.withConnection { connection in
            let name = try await CameraChoice.name(camera, at: connection)
            return reset ? try await connection.resetTolerance(of: name) : try await connection.camera(name)
        }
        guard !isJSON else { return try write(json: status) }
        let quirks = status.tolerance ?? []
        let lines = quirks.isEmpty ? ["\(status.name): no tolerance"] : quirks.map { "\(status.name): \($0.text)" }
        try StandardStream.output.write(lines.map { $0 + "\n" }.joined())
    }
}
