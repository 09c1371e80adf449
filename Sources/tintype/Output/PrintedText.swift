// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Text that is safe to print: the only kind that ``StandardStream`` takes for people.
///
/// Literals are taken as they stand; everything that is interpolated is foreign and escaped by
/// ``PrintableText/line(_:)``, so that no name, tag or path can move the cursor or begin a line of its own.
struct PrintedText: Hashable, ExpressibleByStringInterpolation {
    private(set) var string: String

    init(stringLiteral value: String) { string = value }

    init(stringInterpolation: StringInterpolation) { string = stringInterpolation.string }

    /// `foreign` in one line.
    init(line foreign: String) { string = PrintableText.line(foreign) }

    /// `foreign` in the lines that it has, as ArgumentParser lays out its messages.
    init(lines foreign: String) {
        string = foreign.split(separator: "\n", omittingEmptySubsequences: false)
            .map { PrintableText.line(String($0)) }.joined(separator: "\n")
    }

    init(_ parts: some Sequence<PrintedText>, separator: PrintedText = "") {
        string = parts.map(\.string).joined(separator: separator.string)
    }

    static func + (left: Self, right: Self) -> Self { "\(left)\(right)" }

    static func += (left: inout Self, right: Self) { left.string += right.string }

    /// Escapes what is not yet safe.
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
