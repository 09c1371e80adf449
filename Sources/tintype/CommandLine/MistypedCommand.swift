// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

/// Finds the command that a mistyped word was meant to be.
struct MistypedCommand {
    let word: String
    /// The names of the commands that could stand in its place.
    let known: [String]
    /// The words before it, as in `tintype controls`.
    let parent: String
    /// Whether something else than a command can stand in its place, such as the name of a camera.
    let isOptional: Bool

    /// The first word of `arguments` in the place of a command that is none; nil where there is none.
    init?(in arguments: [String]) {
        var command: any ParsableCommand.Type = RootCommand.self
        var parent = RootCommand._commandName
        var rest = arguments[...]
        while let word = rest.popFirst() {
            // The one option before a command that has a value.
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

    /// The command that was meant, as in `tintype controls profiles`; nil where none is near.
    var nearest: String? { Spelling.nearest(to: word, among: known).map { "\(parent) \($0)" } }

    /// A sentence in place of ArgumentParser's `message`; nil where that is better.
    static func correction(of arguments: [String], insteadOf message: some StringProtocol) -> String? {
        guard let mistyped = MistypedCommand(in: arguments) else { return nil }
        let word = mistyped.word
        guard mistyped.isOptional else {
            let remedy = Spelling.remedy(for: word, among: mistyped.known, otherwise: "")
            return "There is no command “\(word)”. \(remedy)"
        }
        // “profile save x”: the first word was taken for a camera, and the others are too many.
        guard message.contains("nexpected argument"), let nearest = mistyped.nearest else { return nil }
        return "There is no command “\(mistyped.parent) \(word)”. Did you mean “\(nearest)”?"
    }
}
