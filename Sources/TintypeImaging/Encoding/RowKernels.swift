// SPDX-License-Identifier: Apache-2.0

/// The inner loops of the encoder: each works on one row, or on two, that lie in the first-level cache.
///
/// They are written so that the compiler turns them into vector code for the baseline of each architecture: wrapping
/// arithmetic, no table, no branch, whole words instead of single bytes for interleaved samples, and one pointer where
/// a row is changed in place (two equal pointers would fail the compiler's overlap check and run slowly).
/// No bounds are checked here: ``PlaneSplitter`` derives all counts from a layout that was checked against the buffer.
enum RowKernels {
    /// The place of the samples in the words of a packed or interleaved row.
    ///
    /// Bits that luma is shifted by in a little-endian 16-bit word of a packed 4:2:2 row; chroma is in the other half.
    struct PackedOrder {
        /// 0 for Y first, 8 for chroma first.
        let lumaShift: UInt16
        /// Bits down to the first chroma sample in a 32-bit word.
        var chromaShift: UInt32 { lumaShift == 0 ? 8 : 0 }
    }

    /// Takes the luma out of a packed 4:2:2 row: `count` samples.
    static func takeLuma(
        from row: UnsafeRawPointer,
        order: PackedOrder,
        into luma: UnsafeMutablePointer<UInt8>,
        count: Int
    ) {
        let shift = order.lumaShift
        for index in 0..<count {
            let word = unsafe UInt16(littleEndian: row.loadUnaligned(fromByteOffset: 2 &* index, as: UInt16.self))
            unsafe luma[index] = UInt8(truncatingIfNeeded: word &>> shift)
        }
    }

    /// Takes the upper 8 of `bits` bits of luma, 9 to 16, that have two bytes each: `count` samples.
    ///
    /// Bits above these are junk to no driver that is known; what they have beyond white is white.
    static func takeDeepLuma(
        from row: UnsafeRawPointer,
        bits: Int,
        into luma: UnsafeMutablePointer<UInt8>,
        count: Int
    ) {
        let shift = UInt16(truncatingIfNeeded: bits &- 8)
        for index in 0..<count {
            let word = unsafe UInt16(littleEndian: row.loadUnaligned(fromByteOffset: 2 &* index, as: UInt16.self))
            unsafe luma[index] = UInt8(truncatingIfNeeded: min(word &>> shift, 255))
        }
    }

    /// Takes the chroma out of a packed 4:2:2 row: `count` pairs.
    static func takeChroma(
        from row: UnsafeRawPointer,
        order: PackedOrder,
        into first: UnsafeMutablePointer<UInt8>,
        and second: UnsafeMutablePointer<UInt8>,
        count: Int
    ) {
        let shift = order.chromaShift
        for index in 0..<count {
            let word = unsafe UInt32(littleEndian: row.loadUnaligned(fromByteOffset: 4 &* index, as: UInt32.self))
            unsafe first[index] = UInt8(truncatingIfNeeded: word &>> shift)
            unsafe second[index] = UInt8(truncatingIfNeeded: word &>> (shift &+ 16))
        }
    }

    /// Takes the mean chroma out of two packed 4:2:2 rows: `count` pairs.
    static func takeMeanChroma(
        from upper: UnsafeRawPointer,
        and lower: UnsafeRawPointer,
        order: PackedOrder,
        into first: UnsafeMutablePointer<UInt8>,
        and second: UnsafeMutablePointer<UInt8>,
        count: Int
    ) {
        // Both chroma samples of a word are averaged at once, 16 bits for each.
        let shift = order.chromaShift
        for index in 0..<count {
            let above = unsafe UInt32(littleEndian: upper.loadUnaligned(fromByteOffset: 4 &* index, as: UInt32.self))
            let below = unsafe UInt32(littleEndian: lower.loadUnaligned(fromByteOffset: 4 &* index, as: UInt32.self))
            let sum = (above &>> shift) & 0x00FF_00FF &+ (below &>> shift) & 0x00FF_00FF &+ 0x0001_0001
            unsafe first[index] = UInt8(truncatingIfNeeded: sum &>> 1)
            unsafe second[index] = UInt8(truncatingIfNeeded: sum &>> 17)
        }
    }

    /// Takes apart a row of interleaved chroma (NV12): `count` pairs.
    static func takePairs(
        from row: UnsafeRawPointer,
        into first: UnsafeMutablePointer<UInt8>,
        and second: UnsafeMutablePointer<UInt8>,
        count: Int
    ) {
        for index in 0..<count {
            let word = unsafe UInt16(littleEndian: row.loadUnaligned(fromByteOffset: 2 &* index, as: UInt16.self))
            unsafe first[index] = UInt8(truncatingIfNeeded: word)
            unsafe second[index] = UInt8(truncatingIfNeeded: word &>> 8)
        }
    }

    /// Makes `row` the mean of itself and `other`.
    static func average(_ row: UnsafeMutablePointer<UInt8>, with other: UnsafePointer<UInt8>, count: Int) {
        for index in 0..<count {
            let sum = unsafe UInt16(row[index]) &+ UInt16(other[index]) &+ 1
            unsafe row[index] = UInt8(truncatingIfNeeded: sum &>> 1)
        }
    }
}
