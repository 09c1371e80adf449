// SPDX-License-Identifier: Apache-2.0
internal import GRDB

/// SQL with its arguments: the text is made of what stands in the source code only.
///
/// There is no way to put a value into the text, so no value can be taken for SQL.
struct SQLText {
    private(set) var text = ""
    private(set) var arguments: [DatabaseValue] = []

    init(_ text: StaticString = "") { self.text = text.description }

    mutating func append(_ text: StaticString) { self.text += text.description }

    /// Puts a parameter behind the text, and `value` behind the arguments.
    mutating func append(argument value: some DatabaseValueConvertible) {
        text += "?"
        arguments.append(value.databaseValue)
    }

    /// The same for a text: a zero in it, at which SQLite would end it, becomes U+FFFD, which is in no name.
    mutating func append(argument value: String) {
        text += "?"
        arguments.append(value.replacing("\0", with: "\u{FFFD}").databaseValue)
    }

    mutating func append(_ other: SQLText) {
        text += other.text
        arguments += other.arguments
    }
}
