// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype frames tag ID... --add WORD --remove WORD`.
struct FramesTagCommand: FrameChangingCommand {
    static let configuration = CommandConfiguration(
        commandName: "tag",
        abstract: "Add tags to frames, or remove them."
    )
    static let participle = "tagged"

    @OptionGroup var shared: SharedOptions
    @OptionGroup var choice: FrameChoice

    @Option(
        name: .customLong("add"),
        help: ArgumentHelp("A tag to add; may be repeated.", valueName: "word"),
        transform: Self.tag
    )
    var added: [String] = []

    @Option(
        name: .customLong("remove"),
        help: ArgumentHelp("A tag to remove; may be repeated.", valueName: "word"),
        transform: Self.tag
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

    func change(_ selection: FrameSelection, by exchange: some ControlExchange) async throws -> FrameOutcome {
        try await exchange.change(FrameChange(selection: selection, addTags: added, removeTags: removed))
    }

    private static func tag(_ text: String) throws -> String {
        try OptionText.value(text, StillRequest.tagRemedy) { StillRequest.isValid(tag: $0) ? $0 : nil }
    }
}
