// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

/// Suggests the command that a mistyped word was meant to be.
struct MistypedCommand {
    let word: String
    let known: [String]
    /// Preceding command words, for example `tintype controls`.
    let parent: String
    /// True if other words are valid in its place, such as the name of a camera.
    let isOptional: Bool

    /// Finds the first word in command position that is not a command; nil if there is none.
    init?(in arguments: [String]) {
        var command: any ParsableCommand.Type = RootCommand.self
        var parent = RootCommand._commandName
        var rest = arguments[...]
        while let word = rest.popFirst() {
            // The only option with a value that may precede a command.
            if word == "--socket" { rest = rest.dropFirst() }
            guard !word.hasPrefix("-"), word != "help" else { continue }
            let commands = command.configuration.subcommands
            guard let next = commands.first(where: { $0._commandName == word }) else {
                guard !commands.isEmpty else { return nil }
                self.word = word
                self.parent = parent
                known = commands.map { $0._commandName }
                isOptional = command.configuration.defaultSubcommand != nil
                return
            }
            command = next
            parent += " \(word)"
        }
        return nil
    }

    /// Closest command, for example `tintype controls profiles`; nil if none is close.
    var nearest: String? { Spelling.nearest(to: word, among: known).map { "\(parent) \($0)" } }

    /// Replacement for ArgumentParser's `message`; nil to keep the original.
    static func correction(of arguments: [String], insteadOf message: some StringProtocol) -> String? {
        guard let mistyped = MistypedCommand(in: arguments) else { return nil }
        let word = mistyped.word
        guard mistyped.isOptional else {
            let remedy = Spelling.remedy(for: word, among: mistyped.known, otherwise: "")
            return "There is no command “\(word)”. \(remedy)"
        }
        // “profile save x”: ArgumentParser takes the first word for a camera, and the rest is unexpected.
        guard message.contains("nexpected argument"), let nearest = mistyped.nearest else { return nil }
        return "There is no command “\(mistyped.parent) \(word)”. Did you mean “\(nearest)”?"
    }
}
