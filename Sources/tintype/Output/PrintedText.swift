// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Text that is safe to print: literals are kept, interpolated values escaped by ``PrintableText/line(_:)``, so that
/// no name moves the cursor or starts a new line.
struct PrintedText: Hashable, ExpressibleByStringInterpolation {
    private(set) var string: String

    init(stringLiteral value: String) { string = value }

    init(stringInterpolation: StringInterpolation) { string = stringInterpolation.string }

    /// Escapes `foreign` but keeps its newlines, for messages of ArgumentParser.
    init(lines foreign: String) {
        string = foreign.split(separator: "\n", omittingEmptySubsequences: false)
            .map { PrintableText.line(String($0)) }.joined(separator: "\n")
    }

    init(_ parts: some Sequence<PrintedText>, separator: PrintedText = "") {
        string = parts.map(\.string).joined(separator: separator.string)
    }

    static func + (left: Self, right: Self) -> Self { "\(left)\(right)" }

    static func += (left: inout Self, right: Self) { left.string += right.string }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var string: String

        init(literalCapacity: Int, interpolationCount: Int) { string = "" }

        mutating func appendLiteral(_ literal: String) { string += literal }

        mutating func appendInterpolation(_ safe: PrintedText) { string += safe.string }

        mutating func appendInterpolation(_ foreign: some CustomStringConvertible) {
            string += PrintableText.line(foreign.description)
        }
    }
}
