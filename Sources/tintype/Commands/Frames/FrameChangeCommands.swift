// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

struct FramesPinCommand: FrameChangingCommand {
    static let configuration = CommandConfiguration(commandName: "pin", abstract: "Exempt frames from retention.")
    static let participle = "pinned"

    @OptionGroup var shared: SharedOptions
    @OptionGroup var choice: FrameChoice

    func apply(to selection: FrameSelection, by exchange: some ControlExchange) async throws -> FrameOutcome {
        try await exchange.apply(FrameChange(selection, FrameEdit(pinned: true)))
    }
}

struct FramesUnpinCommand: FrameChangingCommand {
    static let configuration = CommandConfiguration(commandName: "unpin", abstract: "Undo “pin”.")
    static let participle = "unpinned"

    @OptionGroup var shared: SharedOptions
    @OptionGroup var choice: FrameChoice

    func apply(to selection: FrameSelection, by exchange: some ControlExchange) async throws -> FrameOutcome {
        try await exchange.apply(FrameChange(selection, FrameEdit(pinned: false)))
    }
}

struct FramesTagCommand: FrameChangingCommand {
    static let configuration = CommandConfiguration(commandName: "tag", abstract: "Add tags to frames, or remove them.")
    static let participle = "tagged"

    @OptionGroup var shared: SharedOptions
    @OptionGroup var choice: FrameChoice

    @Option(
        name: .customLong("add"),
        help: ArgumentHelp("A tag to add; may be repeated.", valueName: "word"),
        transform: OptionText.tag
    )
    var added: [String] = []

    @Option(
        name: .customLong("remove"),
        help: ArgumentHelp("A tag to remove; may be repeated.", valueName: "word"),
        transform: OptionText.tag
    )
    var removed: [String] = []

    func validate() throws {
        try choice.require()
        guard !added.isEmpty || !removed.isEmpty else {
            throw ValidationError("Give at least one tag: --add WORD or --remove WORD.")
        }
        if let both = added.first(where: removed.contains) {
            throw ValidationError("“\(both)” cannot be added and removed at once.")
        }
    }

    func apply(to selection: FrameSelection, by exchange: some ControlExchange) async throws -> FrameOutcome {
        try await exchange.apply(FrameChange(selection, FrameEdit(addTags: added, removeTags: removed)))
    }
}

struct FramesRemoveCommand: FrameChangingCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Delete frames permanently.",
        discussion: """
            Frames that you name by their ids are deleted even if pinned. --where spares pinned frames, unless you \
            add --pinned. Once the command has returned, deleted frames never come back, not even after a power \
            cut.
            """
    )
    static let participle = "deleted"

    @OptionGroup var shared: SharedOptions
    @OptionGroup var choice: FrameChoice

    @Flag(help: "With --where: also delete pinned frames.")
    var pinned = false

    @Flag(help: "List the frames that would be deleted, and delete none.")
    var dryRun = false

    func validate() throws {
        try choice.require()
        guard !pinned || choice.option.filter != nil else {
            throw ValidationError("--pinned needs --where: frames named by their ids are deleted even if pinned.")
        }
    }

    func chosen() throws -> ChosenFrames {
        guard let filter = choice.option.filter, !pinned else { return try choice.frames() }
        // Must not nest one level deeper than the filter itself.
        let filters = if case .all(let filters) = filter { filters } else { [filter] }
        return .fitting(.all(filters + [.not(.is(.pinned(true)))]))
    }

    func run() async throws {
        guard dryRun else { return try await changeAll() }
        try await FrameLines.print(isJSON: isJSON) { lines in
            try await client.records(of: try chosen(), .oldest) { try StandardStream.output.write(try lines.lines($0)) }
        }
    }

    func apply(to selection: FrameSelection, by exchange: some ControlExchange) async throws -> FrameOutcome {
        try await exchange.delete(selection)
    }
}
