// SPDX-License-Identifier: Apache-2.0

/// Text in log lines: nothing in it can end the line or look like another key.
enum LogText {
    /// `text` with control characters escaped, a newline as `\n`.
    static func line(_ text: String) -> String { escaped(text, quotes: false) }

    /// `text` as the value of a key: in quotes where it is empty or has spaces, quotes, `=` or control characters.
    static func value(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.unicodeScalars.allSatisfy { $0 != "\"" && $0 != "=" && !isBlank($0) }
        return isPlain ? text : "\"\(escaped(text, quotes: true))\""
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || isControl(scalar) }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\"" where quotes: result += "\\\""
            case "\\" where quotes: result += "\\\\"
            case _ where isControl(scalar): result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
