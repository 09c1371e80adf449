// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Text in log lines: nothing in it can end the line or look like another key.
enum LogText {
    /// `text` as the value of a key: in quotes where it is empty or has spaces, quotes, `=` or unsafe characters.
    static func value(_ text: String) -> String {
        let isPlain =
            !text.isEmpty
            && text.unicodeScalars.allSatisfy { !["\"", "=", " "].contains($0) && PrintableText.isSafe($0) }
        let quoted = PrintableText.escaped(text) { ["\"", "\\"].contains($0) || !PrintableText.isSafe($0) }
        return isPlain ? text : "\"\(quoted)\""
    }
}
