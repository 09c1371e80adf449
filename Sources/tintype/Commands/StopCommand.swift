// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype stop [CAMERA]`.
struct StopCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "Close a camera, even while it is held; the next request opens it again."
    )

    @OptionGroup var shared: SharedOptions

    @Argument(help: .camera, completion: Completion.cameras)
    var camera: String?

    func answer() async throws {
        let status = try await asking(camera) { try await $0.stop($1) }
        guard !isJSON else { return try write(json: status) }
        try StandardStream.output.write("\(status.name): stopped\n")
    }
}
