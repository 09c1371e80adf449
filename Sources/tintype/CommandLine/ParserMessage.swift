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
            text = message
        }
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
enum MistypedCommand {
    /// Replacement for ArgumentParser's `message` if a word in the place of a command is none; nil to keep it.
    static func correction(of arguments: [String], insteadOf message: some StringProtocol) -> String? {
        var command: any ParsableCommand.Type = RootCommand.self
        var parent = RootCommand._commandName
        var rest = arguments[...]
        while let word = rest.popFirst() {
            // The only option with a value that may precede a command.
            if word == "--socket" { rest = rest.dropFirst() }
            guard !word.hasPrefix("-"), word != "help" else { continue }
            let commands = command.configuration.subcommands
            if let next = commands.first(where: { $0._commandName == word }) {
                command = next
                parent += " \(word)"
                continue
            }
            guard !commands.isEmpty else { return nil }
            let known = commands.map { $0._commandName }
            guard command.configuration.defaultSubcommand != nil else {
                return "There is no command “\(word)”. \(Spelling.remedy(for: word, among: known, otherwise: ""))"
            }
            // “profile save x”: ArgumentParser takes the first word for a camera, and the rest is unexpected.
            let nearest = message.contains("nexpected argument") ? Spelling.nearest(to: word, among: known) : nil
            return nearest.map { "There is no command “\(parent) \(word)”. Did you mean “\(parent) \($0)”?" }
        }
        return nil
    }
}
