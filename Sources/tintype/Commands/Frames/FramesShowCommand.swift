// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype frames show [ID...]`.
struct FramesShowCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show all details of stored frames.",
        discussion: """
            Without ids and --where: the newest frame. With --json it prints {"frames": […]}, a line for each.
            """
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var choice: FrameChoice

    func answer() async throws {
        var isFirst = true
        try await FrameLines.print(isJSON: isJSON) { lines in
            try await client.records(of: choice) { frames in
                guard !isJSON else { return try StandardStream.output.write(try lines.lines(frames)) }
                for frame in frames {
                    try StandardStream.output.write((isFirst ? "" : "\n") + FrameReport.text(frame))
                    isFirst = false
                }
            }
        }
    }
}
