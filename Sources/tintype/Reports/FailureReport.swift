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

    /// Returns nil for errors that ArgumentParser reports.
    init?(_ error: any Error) {
        self.error = error
        switch error {
        case let error as Problem:
            (status, code) = (error.code.exitStatus, error.code.rawValue)
            detail = OptionName.replacingFields(in: error.detail)
            remedy = OptionName.replacingFields(in: error.remedy)
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
