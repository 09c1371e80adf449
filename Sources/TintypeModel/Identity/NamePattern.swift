// SPDX-License-Identifier: Apache-2.0

/// Glob patterns for names: `*` matches any characters, `?` exactly one.
///
/// Case-sensitive. Brackets and backslashes are literal, because camera names contain them.
package enum NamePattern {
    /// Matches the whole of `text`.
    ///
    /// Runs in O(m × n) at most.
    package static func matches(_ pattern: String, _ text: String) -> Bool {
        let pattern = Array(pattern)
        let text = Array(text)
        var (patternIndex, textIndex) = (0, 0)
        // Last star, and the text position to resume at if it consumes one more character.
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
