// SPDX-License-Identifier: Apache-2.0

/// Lines of a name and a value each, the values below each other.
enum LabelledLines {
    static func text(_ lines: [(name: String, value: String)]) -> PrintedText {
        let width = lines.map(\.name.count).max() ?? 0
        return PrintedText(
            lines.map { line -> PrintedText in
                "  \(line.name)\(String(repeating: " ", count: width - line.name.count + 2))\(line.value)\n"
            }
        )
    }
}
