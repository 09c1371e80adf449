// SPDX-License-Identifier: Apache-2.0

extension CaseIterable where Self: RawRepresentable<String> {
    /// The words of all cases, for people.
    package static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

/// Finds the word that was meant by a mistyped one.
package enum Spelling {
    /// The word of `known` that is nearest to `word`; nil where none is near.
    ///
    /// Near is a third of the letters changed, added, left out or swapped with their neighbour, at least one, where
    /// case, `-` and `_` do not count.
    package static func nearest(to word: String, among known: [String]) -> String? {
        let wanted = folded(word)
        let distances = known.map { (word: $0, distance: distance(wanted, folded($0))) }
        guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, wanted.count / 3) ? best.word : nil
    }

    /// A remedy for a `word` that is none of `known`: the word that was meant or, where none is near, all of them.
    ///
    /// As in `Did you mean front?` or `Use one of: back, front.`; `otherwise` where nothing is known.
    package static func remedy(for word: String, among known: [String], otherwise: String) -> String {
        if known.isEmpty { return otherwise }
        if let nearest = nearest(to: word, among: known) { return "Did you mean \(nearest)?" }
        return "Use one of: \(known.joined(separator: ", "))."
    }

    private static func folded(_ word: String) -> [Character] { word.lowercased().filter { $0 != "-" && $0 != "_" } }

    /// The optimal string alignment distance: Levenshtein's, and a swap of neighbours counts once.
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
