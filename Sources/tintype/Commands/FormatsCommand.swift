// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype formats [CAMERA]`.
struct FormatsCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "formats",
        abstract: "List the pixel formats, sizes and rates that a camera offers."
    )

    @OptionGroup var shared: SharedOptions

    @Argument(help: .camera, completion: Completion.cameras)
    var camera: String?

    func answer() async throws {
        let list = try await asking(camera) { try await $0.formats(of: $1) }
        guard !isJSON else { return try write(json: list) }
        try StandardStream.output.write(FormatReport.table(list.formats, width: StandardStream.output.width))
    }
}
