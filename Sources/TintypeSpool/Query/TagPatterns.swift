// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// The tags that match the patterns of a filter: looked up once for a plan, since all its cameras need them.
final class TagPatterns {
    /// The most tags that a pattern is taken apart into, each of which has its frames in order.
    private static let mostTags = 64
    /// The most frames of more tags than that, which are sorted for each page.
    private static let mostSorted = 2000

    private var words: [String: [String]?] = [:]
    private var counts: [String: [String: Int]?] = [:]

    /// The tags that are as a pattern says, or the one that it is; nil if there are many.
    func words(as pattern: String, _ database: Database) throws -> [String]? {
        guard pattern.isPattern else { return [pattern] }
        if let known = words[pattern] { return known }
        let found = try read(pattern, database)
        words[pattern] = .some(found)
        return found
    }

    /// How many frames of each camera have a tag that begins as a pattern does; nil if they are too many, in all, to be
    /// sorted.
    func counts(as pattern: String, _ database: Database) throws -> [String: Int]? {
        if let known = counts[pattern] { return known }
        let statement = try database.cachedStatement(
            sql: """
                SELECT camera, count(*) AS frames FROM (SELECT camera FROM frameTag WHERE tag >= ? AND tag < ? LIMIT ?) GROUP BY camera
                """
        )
        let beginning = pattern.beginning
        let arguments: StatementArguments = [beginning, beginning + "~", Self.mostSorted + 1]
        var found: [String: Int]? = [:]
        for row in try Row.fetchAll(statement, arguments: arguments) {
            let row = CheckedRow(row)
            found?[try row.value("camera") { $0 }] = try row.int("frames", in: 0...Self.mostSorted + 1)
        }
        if (found ?? [:]).values.reduce(0, +) > Self.mostSorted { found = nil }
        counts[pattern] = .some(found)
        return found
    }

    private func read(_ pattern: String, _ database: Database) throws -> [String]? {
        // From one tag to the next that is there: each takes one step in the index.
        let next = try database.cachedStatement(sql: "SELECT tag FROM frameTag WHERE tag >= ? ORDER BY tag LIMIT 1")
        let beginning = pattern.beginning
        var (words, bound, steps): ([String], String, Int) = ([], beginning, 0)
        while let tag = try String.fetchOne(next, arguments: [bound]), tag.hasPrefix(beginning) {
            if NamePattern.matches(pattern, tag) { words.append(tag) }
            steps += 1
            guard steps <= 4 * Self.mostTags, words.count <= Self.mostTags else { return nil }
            // Tags have letters, digits, '.', '_' and '-', all of which come behind '!'.
            bound = tag + "!"
        }
        return words
    }
}
