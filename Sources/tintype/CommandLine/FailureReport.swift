// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Glibc
internal import TintypeModel

struct FailureReport {
    let status: Int32
    private let error: any Error
    private let code: String
    private let detail: String
    let remedy: String

    /// Returns nil for errors that ArgumentParser reports; `arguments` is the command line.
    init?(_ error: any Error, _ arguments: [String] = []) {
        self.error = error
        switch error {
        case let error as Problem:
            (status, code) = (error.code.exitStatus, error.code.rawValue)
            detail = OptionName.replacingFields(in: error.detail)
            // “tintype controls prof” asks for the controls of a camera “prof”.
            let command =
                error.code == .cameraNotFound
                ? MistypedCommand.correction(of: arguments, insteadOf: "Unexpected argument") : nil
            remedy = OptionName.replacingFields(in: error.remedy) + (command.map { " \($0)" } ?? "")
        case let error as ClientError:
            // 1 for an unexpected reply, 2 if the daemon could not be reached or did not answer.
            status = [.tooLarge, .unexpected].contains(error.kind) ? 1 : 2
            (code, detail, remedy) = (error.kind.rawValue, error.detail, error.remedy)
        case let error as OutputError:
            (status, code, detail, remedy) = (EX_IOERR, "output", error.detail, error.remedy)
        default: return nil
        }
    }

    var text: String { "\(detail) \(remedy)" }

    /// Writes to stderr: for `json` a problem document, else two lines; nothing for a closed pipe.
    func write(json: Bool) throws {
        if let error = error as? OutputError, error.isBrokenPipe { return }
        guard json else { return try StandardStream.error.write("tintype: \(detail)\n\(remedy)\n") }
        // For errors without a problem document, its three applicable members.
        if let problem = error as? Problem { return try StandardStream.error.write(json: problem) }
        try StandardStream.error.write(json: ["code": code, "detail": detail, "remedy": remedy])
    }
}

enum ExitStatusTable {
    static let title = "EXIT STATUS:"

    static var text: String {
        var rows: [(status: Int32, meaning: String)] = [
            (0, "success"), (1, "a reply that is not understood; scan: no code; a job: not done"),
            (2, "tintyped cannot be reached or does not answer"),
            (DoctorCommand.unhealthy, "doctor or verify has found something wrong"),
            (Health.Level.degraded.exitStatus, "status: the daemon is degraded"),
            (Health.Level.failing.exitStatus, "status: no camera or no spool works"),
        ]
        rows += ProblemCode.allCases.map { ($0.exitStatus, "\($0.rawValue): \($0.title)") }
        rows += [
            (64, "wrong command line"), (74, "the output cannot be written"),
            (128 + SIGINT, "burst, film or record was interrupted"),
        ]
        let lines = rows.sorted { $0.status < $1.status }.map { status, meaning in
            "\(String(repeating: " ", count: 4 - "\(status)".count))\(status)  \(meaning)"
        }
        return "\(title)\n\(lines.joined(separator: "\n"))"
    }
}

/// Translates request fields into options: problems name fields, but users know options.
enum OptionName {
    private static let renamed = [
        "deadlineMs": "deadline", "maxAgeMs": "max-age", "atMs": "at", "everyMs": "every", "fromMs": "from",
        "toMs": "to", "forMs": "for", "beforeMs": "before", "cutMs": "cut", "tags": "tag", "addTags": "add",
        "removeTags": "remove",
    ]
    /// Fields that are also ordinary words; replaced only in certain contexts.
    private static let same: Set = [
        "fresh", "count", "nth", "settle", "integrity", "width", "height", "crop", "rotate", "flip", "quality",
        "overlay", "average", "size", "durability", "keep", "lossless", "reject", "owner", "preset", "format", "rate",
        "input", "standard", "warmth", "where", "fps", "speed",
    ]

    /// Replaces fields by options: `The field fresh.maxAgeMs`, `(deadlineMs)`, `leave size out`, `everyMs`.
    static func replacingFields(in sentence: String) -> String {
        sentence
            .replacing(/The field (?:[A-Za-z]+\.)*([A-Za-z]+)/) { match in option(match.1) ?? String(match.0) }
            .replacing(/\(([A-Za-z]+)\b/) { match in option(match.1).map { "(\($0)" } ?? String(match.0) }
            .replacing(/\b([Ll]eave(?: out)?|with|needs|[Aa]sk for) ([a-z]+)\b/) { match in
                option(match.2).map { "\(match.1) \($0)" } ?? String(match.0)
            }
            .replacing(/\b[a-z]+[A-Z][A-Za-z]*\b/) { match in
                renamed[String(match.0)].map { "--\($0)" } ?? String(match.0)
            }
    }

    private static func option(_ field: Substring) -> String? {
        let field = String(field)
        return (renamed[field] ?? (same.contains(field) ? field : nil)).map { "--\($0)" }
    }
}

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
