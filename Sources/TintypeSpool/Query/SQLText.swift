// SPDX-License-Identifier: Apache-2.0
internal import GRDB

/// SQL with its arguments: what stands in the source code is the text, and each value that is interpolated an argument.
///
/// There is no way to put a value into the text, so no value can be taken for SQL.
struct SQLText: ExpressibleByStringInterpolation, StringInterpolationProtocol {
    private(set) var text = ""
    private(set) var arguments: [DatabaseValue] = []

    init(literalCapacity: Int, interpolationCount: Int) {}

    init(stringLiteral text: StaticString) { self.text = text.description }

    init(stringInterpolation: SQLText) { self = stringInterpolation }

    mutating func appendLiteral(_ literal: StaticString) { text += literal.description }

    mutating func appendInterpolation(_ value: some DatabaseValueConvertible) {
        text += "?"
        arguments.append(value.databaseValue)
    }

    /// The same for a text: a zero in it, at which SQLite would end it, becomes U+FFFD, which is in no name.
    mutating func appendInterpolation(_ value: String) {
        text += "?"
        arguments.append(value.replacing("\0", with: "\u{FFFD}").databaseValue)
    }

    mutating func appendInterpolation(_ part: SQLText) {
        text += part.text
        arguments += part.arguments
    }
}
