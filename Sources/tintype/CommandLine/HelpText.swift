// SPDX-License-Identifier: Apache-2.0

/// The order of a help text: usage, description, options, exit statuses.
enum HelpText {
    private static let overview = "OVERVIEW: "
    private static let usage = "\n\nUSAGE: "

    /// `text` with its usage first, which ArgumentParser puts behind the description.
    ///
    /// A text that is no help stays as it is.
    static func arranged(_ text: String) -> String {
        guard text.hasPrefix(overview), let usage = text.firstRange(of: usage) else { return text }
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
