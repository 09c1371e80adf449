// SPDX-License-Identifier: Apache-2.0

/// A fraction as a driver tells it (`v4l2_fract`), written as `1/30`; not reduced, and zeros may be in it.
package struct Fraction: Hashable, Sendable {
    package var numerator: UInt32
    package var denominator: UInt32

    /// The fraction of these numbers.
    package init(_ numerator: UInt32, _ denominator: UInt32) {
        self.numerator = numerator
        self.denominator = denominator
    }
}

extension Fraction: TextCodable, WireType {
    package static let refusal = "is not a fraction such as 1/30"

    /// Reads `1/30`.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let numerator = UInt32(parts[0]), let denominator = UInt32(parts[1]) else { return nil }
        self.init(numerator, denominator)
    }

    /// As in `1/30`.
    package var description: String { "\(numerator)/\(denominator)" }
}
