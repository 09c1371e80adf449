// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// Machine-readable number and exposure time in the test pattern.
///
/// Six rows of 32 square cells at the top left, most significant bit first, white for 1: the number; its complement;
/// the upper and lower half of the time in microseconds of `CLOCK_MONOTONIC`; both complements. Cells are 16 pixels
/// wide in pictures of at least 512x96, else 8, 4, 2 or 1. Pictures below 32x6 have no code. In Bayer formats cells
/// need at least 4 pixels to be readable, because demosaicing mixes neighbours.
package struct PatternCode: Hashable, Sendable {
    package var number: UInt32
    /// `CLOCK_MONOTONIC` at the start of exposure.
    package var microseconds: UInt64

    /// In pixels; nil if the picture is too small for a code.
    package static func cellSize(for size: FrameSize) -> Int? {
        [16, 8, 4, 2, 1].first { $0 * 32 <= size.width && $0 * rowCount <= size.height }
    }

    static let rowCount = 6

    var rows: InlineArray<6, UInt32> {
        let (high, low) = (UInt32(microseconds >> 32), UInt32(truncatingIfNeeded: microseconds))
        return [number, ~number, high, low, ~high, ~low]
    }
}

extension PatternCode {
    /// Reads the code from luma without row padding; nil if it is absent, or torn, scaled or damaged.
    package init?(luma: [UInt8], size: FrameSize) {
        guard let cell = Self.cellSize(for: size), luma.count >= size.area else { return nil }
        let rows = (0..<Self.rowCount).map { row in
            (0..<32).reduce(UInt32(0)) { bits, column in
                let at = (row * cell + cell / 2) * size.width + column * cell + cell / 2
                return bits << 1 | (luma[at] > 127 ? 1 : 0)
            }
        }
        guard rows[0] == ~rows[1], rows[2] == ~rows[4], rows[3] == ~rows[5] else { return nil }
        self.init(number: rows[0], microseconds: UInt64(rows[2]) << 32 | UInt64(rows[3]))
    }
}
