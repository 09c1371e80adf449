// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

/// A message of ArgumentParser: help, version, completion script, or command line error.
struct ParserMessage {
    let status: Int32
    private let text: String

    init(_ error: any Error, _ arguments: [String]) {
        status = RootCommand.exitCode(for: error).rawValue
        let message = RootCommand.fullMessage(for: error)
        let lines = message.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        if status == 0 {
            text = HelpText.arranged(message)
        } else if lines.count == 2, let correction = MistypedCommand.correction(of: arguments, insteadOf: lines[0]) {
            text = "Error: \(correction)\n\(lines[1])"
        } else {
            text = Self.asking(message)
        }
    }

    /// Asks whether one of the words that ArgumentParser lists for an option is meant.
    private static func asking(_ message: String) -> String {
        let words = /Please provide one of (?:'.*|the following:(?:\n +- .+)+)/
        guard let fault = message.firstMatch(of: /The value '([^']+)' is invalid for '[^']+'\.\s/),
            let list = message[fault.range.upperBound...].prefixMatch(of: words)
        else { return message }
        let known = list.output.matches(of: /'([^']+)'|- (\S+)/).map { String($0.1 ?? $0.2 ?? "") }
        let question = Spelling.question(for: [String(fault.1)]) { Spelling.nearest(to: $0, among: known) }
        guard let question else { return message }
        return "\(message[..<list.range.lowerBound])\(question) \(message[list.range.lowerBound...])"
    }

    /// Writes to stdout, or to stderr for an error; nothing for an exit status without text.
    func write() throws(OutputError) {
        guard !text.isEmpty else { return }
        if status == 0 { return try StandardStream.output.write(Array("\(text)\n".utf8)) }
        try StandardStream.error.write(PrintedText(lines: text) + "\n")
    }
}

/// Order of sections in a help text: usage, description, options, exit statuses.
enum HelpText {
    private static let overview = "OVERVIEW: "

    /// Moves the usage, which ArgumentParser puts after the description, to the front; other text stays unchanged.
    static func arranged(_ text: String) -> String {
        guard text.hasPrefix(overview), let usage = text.firstRange(of: "\n\nUSAGE: ") else { return text }
        let description = text[..<usage.lowerBound].dropFirst(overview.count)
        let rest = text[usage.upperBound...]
        let end = rest.firstRange(of: "\n\n")?.lowerBound ?? rest.endIndex
        let table = description.firstRange(of: "\n\n\(ExitStatusTable.title)")?.lowerBound ?? description.endIndex
        let sections = rest[end...].drop { $0 == "\n" }.reversed().drop { $0 == "\n" }.reversed()
        let statuses = description[table...].drop { $0 == "\n" }
        let parts = ["USAGE: \(rest[..<end])", String(description[..<table]), String(sections), String(statuses)]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }
}

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
