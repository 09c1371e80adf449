// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype frames stats`.
struct FramesStatsCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Tell how the spools are, what is in them and what room there is."
    )

    @OptionGroup var shared: SharedOptions

    func answer() async throws {
        let list = try await client.spools()
        guard !isJSON else { return try write(json: list) }
        try StandardStream.output.write(list.spools.map(SpoolText.report).joined(separator: "\n"))
    }
}
