// SPDX-License-Identifier: Apache-2.0

extension CaseIterable where Self: RawRepresentable<String> {
    /// Raw values of all cases, comma-separated, for messages.
    package static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// Raw value near to `word`, by the rule of ``Spelling``.
    package static func nearest(to word: String) -> String? {
        Spelling.nearest(to: word, among: allCases.map(\.rawValue))
    }
}

package enum Spelling {
    /// Word of `known` within an edit distance of a third of the letters, at least one, ignoring case, `-` and `_`.
    package static func nearest(to word: String, among known: [String]) -> String? {
        let wanted = folded(word)
        let distances = known.map { (word: $0, distance: distance(wanted, folded($0))) }
        guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, wanted.count / 3) ? best.word : nil
    }

    /// `Did you mean front?` for the first of `words` that `nearest` corrects; nil if it corrects none.
    package static func question(for words: [String], by nearest: (String) -> String?) -> String? {
        for word in words {
            if let meant = nearest(word), meant != word { return "Did you mean \(meant)?" }
        }
        return nil
    }

    /// `Did you mean front?` or, if none is near, `Use one of: back, front.`; `otherwise` if `known` is empty.
    package static func remedy(for word: String, among known: [String], otherwise: String) -> String {
        if known.isEmpty { return otherwise }
        return question(for: [word]) { nearest(to: $0, among: known) }
            ?? "Use one of: \(known.joined(separator: ", "))."
    }

    private static func folded(_ word: String) -> [Character] { word.lowercased().filter { $0 != "-" && $0 != "_" } }

    /// Optimal string alignment distance: Levenshtein distance plus transpositions of adjacent characters.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, character) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                let substitution = last[column] + (character == other ? 0 : 1)
                var best = min(substitution, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
