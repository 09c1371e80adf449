// SPDX-License-Identifier: Apache-2.0

/// One component of a JPEG picture, as the frame header has it (ITU-T T.81, table B.2).
struct JPEGComponent: Hashable {
    /// By what scans name it.
    let id: UInt8
    /// Its horizontal sampling factor, 1 to 4.
    let horizontal: Int
    /// Its vertical sampling factor, 1 to 4.
    let vertical: Int
    /// Which quantisation table it needs, 0 to 3.
    let quantization: Int

    /// Reads the three bytes at `offset`, which must lie inside.
    init(at offset: Int, in bytes: RawSpan) {
        id = bytes.byte(at: offset)
        horizontal = Int(bytes.byte(at: offset + 1) >> 4)
        vertical = Int(bytes.byte(at: offset + 1) & 15)
        quantization = Int(bytes.byte(at: offset + 2))
    }

    /// How many blocks of it an MCU of all components has.
    var blocks: Int { horizontal * vertical }

    /// Whether both have the same sampling factors.
    func hasFactors(of other: JPEGComponent) -> Bool {
        horizontal == other.horizontal && vertical == other.vertical
    }

    /// Whether all its numbers are within their ranges.
    var isPossible: Bool {
        (1...4).contains(horizontal) && (1...4).contains(vertical) && (0...3).contains(quantization)
    }
}
