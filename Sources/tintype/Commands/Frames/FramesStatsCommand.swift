// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype frames stats`.
struct FramesStatsCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Show the state, the contents and the free space of each spool."
    )

    @OptionGroup var shared: SharedOptions

    func answer() async throws {
        let list = try await client.spools()
        guard !isJSON else { return try write(json: list) }
        try StandardStream.output.write(
            PrintedText(list.spools.map { SpoolText.report($0, width: StandardStream.output.width) }, separator: "\n")
        )
    }
}
