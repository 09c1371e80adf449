// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype frames list`.
struct FramesListCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List stored frames, the newest first.",
        discussion: "With --json it prints {\"frames\": […]}, a line for each."
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var options: FrameListOptions

    func validate() throws {
        guard !isJSON || options.format == nil else { throw ValidationError("Give either --json or --format.") }
    }

    func answer() async throws {
        let walk = FrameWalk(client, options.filter, options.order, most: options.most)
        var isCutOff = false
        try await FrameLines.print(isJSON: isJSON, template: options.format) { lines in
            try await walk.pages { frames, hasMore in
                try StandardStream.output.write(try lines.lines(frames))
                isCutOff = hasMore
            }
        }
        // Also where the frames go to a file or a program: that it does not get all of them is easily overlooked.
        guard isCutOff, options.limit == nil, StandardStream.error.isTerminal else { return }
        try StandardStream.error.write("There are more: see --limit, --all and --where.\n")
    }
}
