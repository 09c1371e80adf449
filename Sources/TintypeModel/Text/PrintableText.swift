// SPDX-License-Identifier: Apache-2.0

/// Sanitizer for foreign text (names, tags, paths, driver messages) in terminals, logs and the journal.
///
/// Escapes control characters (C0, DEL and C1), line and paragraph separators, and zero-width characters, including
/// those that reorder (Unicode UAX #9) or hide text. Everything else is unchanged, so a backslash in the text looks
/// like an escape. The exact text is available as JSON.
package enum PrintableText {
    /// Text in one line, with escapes `\n`, `\r`, `\t` and otherwise as in `\u{1b}`.
    package static func line(_ text: String) -> String { escaped(text) { !isSafe($0) } }

    /// True if a terminal only displays the character.
    package static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return (0x20..<0x7F).contains(scalar.value) }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return false
        default: return !scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// Escapes the characters selected by `isEscaped`: `\"` and `\\` for these two, otherwise as in ``line(_:)``.
    package static func escaped(_ text: String, _ isEscaped: (Unicode.Scalar) -> Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            guard isEscaped(scalar) else {
                result.unicodeScalars.append(scalar)
                continue
            }
            let escape =
                switch scalar {
                case "\n": "\\n"
                case "\r": "\\r"
                case "\t": "\\t"
                case "\"", "\\": "\\\(scalar)"
                default: "\\u{\(String(scalar.value, radix: 16))}"
                }
            result += escape
        }
        return result
    }
}

extension String {
    /// Parent folder of a path, which need not exist: `/` at the top level, `.` for a plain name.
    package var enclosingFolder: String {
        guard let slash = lastIndex(of: "/") else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }
}

/// Counts with a noun in the right number: `1 picture`, `3 pictures`.
package enum CountText {
    /// `many` is by default `one` with an s.
    package static func text(_ count: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
        "\(count) \(count == 1 ? one : many ?? one + "s")"
    }
}

/// Parts of an address of http or https (RFC 3986, 3), which may be secret.
package enum HTTPAddress {
    /// User information, host and port, as in `user:word@example.org:8080`.
    static func authority(of address: String) -> Substring {
        let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count > 2 ? parts[2].prefix { $0 != "?" && $0 != "#" } : ""
    }

    /// Without parts that may be secret: user information, path, query and fragment.
    package static func publicPart(_ address: String) -> String {
        "\(address.prefix { $0 != ":" })://\(authority(of: address).split(separator: "@").last ?? "")"
    }
}

/// Configuration that curl(1) reads, which hides secrets that its arguments would show to other users.
package enum CurlConfiguration {
    /// A setting such as `url = "https://example.org"`; curl supports the escapes `\\` and `\"`.
    ///
    /// Without control characters: a line break would begin another setting.
    package static func setting(_ name: String, _ value: String) -> String {
        let text = String(decoding: value.utf8.filter { $0 >= 0x20 }, as: UTF8.self)
        return "\(name) = \"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}

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
