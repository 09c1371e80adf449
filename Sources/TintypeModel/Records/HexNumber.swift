// SPDX-License-Identifier: Apache-2.0

/// A number whose bits mean something, written as in linux/videodev2.h: `0x84a00001`.
package struct HexNumber: Hashable, Sendable {
    package let rawValue: UInt64

    /// The number `rawValue`.
    package init(_ rawValue: some FixedWidthInteger) { self.rawValue = UInt64(truncatingIfNeeded: rawValue) }

    /// The lower half of it.
    package var low: UInt32 { UInt32(truncatingIfNeeded: rawValue) }
}

extension HexNumber: TextCodable, WireType {
    package static let refusal = "is not a hexadecimal number such as 0x84a00001"

    /// Reads `0x` and up to 16 hexadecimal digits.
    package init?(_ text: String) {
        guard text.hasPrefix("0x"), let number = UInt64(text.dropFirst(2), radix: 16) else { return nil }
        rawValue = number
    }

    /// `0x` and the digits, without zeros before them.
    package var description: String { "0x" + String(rawValue, radix: 16) }
}
