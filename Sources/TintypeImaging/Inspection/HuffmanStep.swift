// SPDX-License-Identifier: Apache-2.0

/// What the next bits of the data stand for: one code with the number behind it, or several of them.
struct HuffmanStep {
    /// Length, skip and size, a byte each, so that one look reads them all.
    private let word: UInt32

    /// What ``skip`` has on top where the block ends: more than any block has.
    static let end = 128
    /// No code: it leads out of any block, and not to its end.
    static let none = HuffmanStep(length: 0, skip: 64, size: 0)

    private init(length: Int, skip: Int, size: Int) {
        word = UInt32(length) | UInt32(skip) << 8 | UInt32(size) << 16
    }

    /// The value of a code of a DC table, or of an AC table (ITU-T T.81, F.1.2.2); nil where there is no such value.
    init?(code length: Int, _ value: UInt8, isAC: Bool) {
        let size = Int(isAC ? value & 15 : value)
        guard size <= 15, !isAC || size > 0 || value == 0 || value == 0xF0 else { return nil }
        self.init(length: length + size, skip: isAC && value != 0 ? Int(value >> 4) + 1 : Self.end, size: size)
    }

    /// The bits of all codes and numbers, at most 31; 0 for no code.
    var length: Int { Int(word & 63) }
    /// By how many coefficients AC codes go on; ``end`` more where the last one ends the block.
    var skip: Int { Int(word >> 8 & 255) }
    /// The bits of the largest number.
    var size: Int { Int(word >> 16) }
    /// The bits of the code itself, of a step of one code.
    var codeLength: Int { length - size }

    /// The step of the codes of both.
    func followed(by next: HuffmanStep) -> HuffmanStep {
        HuffmanStep(length: length + next.length, skip: skip + next.skip, size: max(size, next.size))
    }
}
