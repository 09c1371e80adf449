// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype frames pin ID...`.
struct FramesPinCommand: FrameChangingCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin",
        abstract: "Keep frames: retention never deletes a pinned frame."
    )
    static let participle = "pinned"

    @OptionGroup var shared: SharedOptions
    @OptionGroup var choice: FrameChoice

    func change(_ selection: FrameSelection, by exchange: some ControlExchange) async throws -> FrameOutcome {
        try await exchange.change(FrameChange(selection: selection, pinned: true))
    }
}

/// The command `tintype frames unpin ID...`.
struct FramesUnpinCommand: FrameChangingCommand {
    static let configuration = CommandConfiguration(commandName: "unpin", abstract: "Undo “pin”.")
    static let participle = "unpinned"

    @OptionGroup var shared: SharedOptions
    @OptionGroup var choice: FrameChoice

    func change(_ selection: FrameSelection, by exchange: some ControlExchange) async throws -> FrameOutcome {
        try await exchange.change(FrameChange(selection: selection, pinned: false))
    }
}
