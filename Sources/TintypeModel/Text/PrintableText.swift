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
