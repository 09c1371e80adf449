// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// The frame's number and the time of its exposure, drawn into the test pattern so that a program can read them back.
///
/// At the top left stand six rows of 32 square cells, most significant bit first, white for 1: the number; the same
/// inverted; the upper and the lower half of the time in microseconds of `CLOCK_MONOTONIC`; both inverted. Cells have
/// 16 pixels a side in pictures of at least 512x96, else 8, 4, 2 or 1. A picture below 32x6 has none. From a Bayer pattern
/// it can be read where cells have 4 pixels or more: each pixel is made of its neighbours.
package struct PatternCode: Hashable, Sendable {
    /// The frame's number, counted from the start of the stream.
    package var number: UInt32
    /// When its exposure began, in microseconds of `CLOCK_MONOTONIC`.
    package var microseconds: UInt64

    /// A code of these parts.
    package init(number: UInt32, microseconds: UInt64) {
        self.number = number
        self.microseconds = microseconds
    }

    /// Pixels a side of a cell in a picture of this size; nil if it is too small for a code.
    package static func cellSize(for size: FrameSize) -> Int? {
        [16, 8, 4, 2, 1].first { $0 * 32 <= size.width && $0 * rowCount <= size.height }
    }

    /// How many rows of cells there are.
    static let rowCount = 6

    /// The cells of a row, counted from the top.
    func row(_ index: Int) -> UInt32 {
        let high = UInt32(microseconds >> 32)
        let low = UInt32(truncatingIfNeeded: microseconds)
        return switch index {
        case 0: number
        case 1: ~number
        case 2: high
        case 3: low
        case 4: ~high
        default: ~low
        }
    }

    /// Reads the code from the luma of a picture, row by row without padding.
    ///
    /// Nil if the picture is too small or the two copies disagree: torn, scaled, damaged, or no test pattern.
    package init?(luma: [UInt8], size: FrameSize) {
        guard let cell = Self.cellSize(for: size), luma.count >= size.area else { return nil }
        let rows = (0..<Self.rowCount).map { row in
            (0..<32).reduce(UInt32(0)) { bits, column in
                let at = (row * cell + cell / 2) * size.width + column * cell + cell / 2
                return bits << 1 | (luma[at] > 127 ? 1 : 0)
            }
        }
        guard rows[0] == ~rows[1], rows[2] == ~rows[4], rows[3] == ~rows[5] else { return nil }
        number = rows[0]
        microseconds = UInt64(rows[2]) << 32 | UInt64(rows[3])
    }
}
