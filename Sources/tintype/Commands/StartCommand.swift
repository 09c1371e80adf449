// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype start [CAMERA]`.
struct StartCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Open a camera and keep it streaming until it is stopped."
    )

    @OptionGroup var shared: SharedOptions

    @Argument(help: .camera, completion: Completion.cameras)
    var camera: String?

    func answer() async throws {
        let status = try await asking(camera) { try await $0.start($1) }
        guard !isJSON else { return try write(json: status) }
        let format = status.format.map { " at \($0)" } ?? ""
        try StandardStream.output.write("\(status.name): started\(format)\n")
    }
}
