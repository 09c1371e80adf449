// SPDX-License-Identifier: Apache-2.0

/// Patterns for names: `*` stands for any characters or none, `?` for one, and all others for themselves.
///
/// Upper and lower case differ. Brackets and backslashes have no meaning: names of cameras have them.
package enum NamePattern {
    /// Whether the whole of `text` is as `pattern` says.
    ///
    /// Takes at most the product of both lengths in steps.
    package static func matches(_ pattern: String, _ text: String) -> Bool {
        let pattern = Array(pattern)
        let text = Array(text)
        var (patternIndex, textIndex) = (0, 0)
        // The last star, and where the text goes on if it takes one character more.
        var star: (pattern: Int, text: Int)?
        while textIndex < text.count {
            if patternIndex < pattern.count, pattern[patternIndex] == "*" {
                star = (patternIndex, textIndex)
                patternIndex += 1
            } else if patternIndex < pattern.count, ["?", text[textIndex]].contains(pattern[patternIndex]) {
                patternIndex += 1
                textIndex += 1
            } else if let last = star {
                star = (last.pattern, last.text + 1)
                (patternIndex, textIndex) = (last.pattern + 1, last.text + 1)
            } else {
                return false
            }
        }
        return pattern[patternIndex...].allSatisfy { $0 == "*" }
    }
}
