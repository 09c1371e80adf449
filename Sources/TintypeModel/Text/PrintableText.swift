// SPDX-License-Identifier: Apache-2.0

/// Foreign text, such as a name, a tag, a path or a driver's words, made safe for a terminal, a log or a journal.
///
/// What a terminal would obey instead of show is escaped: control characters (C0, DEL and C1), line and paragraph
/// separators, and all characters without a width of their own, among them those that reorder text (Unicode UAX #9) or
/// hide in it. Everything else stays as it is, so that a backslash in the text cannot be told from an escape: where the
/// exact text matters, take it from JSON.
package enum PrintableText {
    /// `text` in one line: `\n`, `\r`, `\t`, else as in `\u{1b}`.
    package static func line(_ text: String) -> String { escaped(text) { !isSafe($0) } }

    /// Whether a terminal shows the character and does nothing else with it.
    package static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return (0x20..<0x7F).contains(scalar.value) }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return false
        default: return !scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// `text` with each character escaped for which `isEscaped` is true: `\"` and `\\` for these two, else as in ``line(_:)``.
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
