// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype frames rm ID...`.
struct FramesRemoveCommand: FrameChangingCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Delete frames for good.",
        discussion: """
            What is named by its id is deleted. With --where pinned frames stay, unless --pinned is given. Once the \
            command has ended they do not come back, whatever happens to the power.
            """
    )
    static let participle = "deleted"

    @OptionGroup var shared: SharedOptions
    @OptionGroup var choice: FrameChoice

    @Flag(help: "With --where: delete pinned frames, too.")
    var pinned = false

    @Flag(help: "List what would be deleted, and delete nothing.")
    var dryRun = false

    func validate() throws {
        try choice.require()
        guard !pinned || choice.option.filter != nil else {
            throw ValidationError("--pinned is for --where: what is named by its id is deleted in any case.")
        }
    }

    func chosen() throws -> ChosenFrames {
        guard let filter = choice.option.filter, !pinned else { return try choice.frames() }
        return .fitting(.all([filter, .not(.is(.pinned(true)))]))
    }

    func answer() async throws {
        guard dryRun else { return try await changeAll() }
        try await FrameLines.print(isJSON: isJSON) { lines in
            try await client.records(of: try chosen(), .oldest) {
                try StandardStream.output.write(try lines.lines($0))
            }
        }
    }

    func change(_ selection: FrameSelection, by exchange: some ControlExchange) async throws -> FrameOutcome {
        try await exchange.delete(selection)
    }
}
