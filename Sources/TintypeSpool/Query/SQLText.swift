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

    mutating func append(_ other: SQLText) {
        text += other.text
        arguments += other.arguments
    }
}
