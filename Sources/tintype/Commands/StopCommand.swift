// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype stop [CAMERA]`.
struct StopCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "Close a camera, whoever holds it; it opens again when somebody asks."
    )

    @OptionGroup var shared: SharedOptions

    @Argument(help: "The camera; may be left out where there is only one.")
    var camera: String?

    func answer() async throws {
        let status = try await asking(camera) { try await $0.stop($1) }
        guard !isJSON else { return try write(json: status) }
        try StandardStream.output.write("\(status.name): stopped\n")
    }
}
