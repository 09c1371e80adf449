// SPDX-License-Identifier: Apache-2.0

extension FrameFilterParser {
    mutating func comparison() -> String? {
        for comparison in [">=", "<=", ":", "=", ">", "<"] where take(comparison) { return comparison }
        return nil
    }

    /// A value up to what ends one, or what is between two quotation marks.
    mutating func value() throws(Problem) -> String {
        guard !isAtEnd else { return "" }
        let quote = text[position]
        guard quote == "\"" || quote == "'" else {
            return take(while: { !$0.isWhitespace && !",()\"'".contains($0) })
        }
        let start = position
        position += 1
        let value = take(while: { $0 != quote })
        guard !isAtEnd else {
            throw wrong(at: start, "the quotation mark is not closed", "Put a second \(quote) behind the value.")
        }
        position += 1
        return value
    }

    var isAtEnd: Bool { position == text.count }

    /// What stands here, for a sentence.
    var found: String { isAtEnd ? "the end of the text" : "“\(text[position])”" }

    mutating func skipSpaces() { _ = take(while: \.isWhitespace) }

    /// Takes `token` if it comes next behind spaces; leaves everything where it does not.
    mutating func take(_ token: String) -> Bool {
        let start = position
        skipSpaces()
        let token = Array(token)
        guard text[position...].starts(with: token) else {
            position = start
            return false
        }
        position += token.count
        return true
    }

    mutating func take(while fits: (Character) -> Bool) -> String {
        let start = position
        while position < text.count, fits(text[position]) { position += 1 }
        return String(text[start..<position])
    }

    mutating func word() -> String { take(while: { $0.isLetter || $0.isNumber || $0 == "_" }) }

    func wrong(at position: Int, _ what: String, _ remedy: String) -> Problem {
        .invalid(field: field, "is wrong at character \(position + 1): \(what).", remedy: remedy)
    }
}
