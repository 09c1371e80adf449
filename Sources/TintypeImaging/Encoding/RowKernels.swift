// SPDX-License-Identifier: Apache-2.0

/// Inner loops of the encoder, each on one or two rows in the L1 cache.
///
/// Written to auto-vectorise: wrapping arithmetic, no tables, no branches, whole words for interleaved samples, and a
/// single pointer for in-place changes (two equal ones would fail the compiler's overlap check). No bounds checks:
/// ``PlaneSplitter`` derives all counts from a layout checked against the buffer.
enum RowKernels {
    typealias RowPair = (SampleRow, SampleRow)
    typealias Sums = UnsafeMutablePointer<Int32>

    /// `shift` is that of luma in a little-endian 16-bit word.
    static func readLuma(from row: UnsafeRawPointer, shift: UInt16, into luma: SampleRow, count: Int) {
        for index in 0..<count {
            let word = unsafe UInt16(littleEndian: row.loadUnaligned(fromByteOffset: 2 &* index, as: UInt16.self))
            unsafe luma[index] = UInt8(truncatingIfNeeded: word &>> shift)
        }
    }

    /// Upper 8 of `bits` (9 to 16) bits; no known driver sets the bits above, values beyond white are clamped.
    static func readDeepLuma(from row: UnsafeRawPointer, bits: Int, into luma: SampleRow, count: Int) {
        let shift = UInt16(truncatingIfNeeded: bits &- 8)
        for index in 0..<count {
            let word = unsafe UInt16(littleEndian: row.loadUnaligned(fromByteOffset: 2 &* index, as: UInt16.self))
            unsafe luma[index] = UInt8(truncatingIfNeeded: min(word &>> shift, 255))
        }
    }

    /// `shift` is that of the first chroma sample in a little-endian 32-bit word.
    static func readChroma(from row: UnsafeRawPointer, shift: UInt32, into pair: RowPair, count: Int) {
        let (first, second) = unsafe pair
        for index in 0..<count {
            let word = unsafe UInt32(littleEndian: row.loadUnaligned(fromByteOffset: 4 &* index, as: UInt32.self))
            unsafe first[index] = UInt8(truncatingIfNeeded: word &>> shift)
            unsafe second[index] = UInt8(truncatingIfNeeded: word &>> (shift &+ 16))
        }
    }

    static func readMeanChroma(
        from upper: UnsafeRawPointer,
        and lower: UnsafeRawPointer,
        shift: UInt32,
        into pair: RowPair,
        count: Int
    ) {
        let (first, second) = unsafe pair
        // Averages both chroma samples of a word at once, in 16-bit lanes.
        for index in 0..<count {
            let above = unsafe UInt32(littleEndian: upper.loadUnaligned(fromByteOffset: 4 &* index, as: UInt32.self))
            let below = unsafe UInt32(littleEndian: lower.loadUnaligned(fromByteOffset: 4 &* index, as: UInt32.self))
            let sum = (above &>> shift) & 0x00FF_00FF &+ (below &>> shift) & 0x00FF_00FF &+ 0x0001_0001
            unsafe first[index] = UInt8(truncatingIfNeeded: sum &>> 1)
            unsafe second[index] = UInt8(truncatingIfNeeded: sum &>> 17)
        }
    }

    static func readPairs(from row: UnsafeRawPointer, into pair: RowPair, count: Int) {
        let (first, second) = unsafe pair
        for index in 0..<count {
            let word = unsafe UInt16(littleEndian: row.loadUnaligned(fromByteOffset: 2 &* index, as: UInt16.self))
            unsafe first[index] = UInt8(truncatingIfNeeded: word)
            unsafe second[index] = UInt8(truncatingIfNeeded: word &>> 8)
        }
    }

    static func average(_ row: SampleRow, with other: SourceRow, count: Int) {
        for index in 0..<count {
            let sum = unsafe UInt16(row[index]) &+ UInt16(other[index]) &+ 1
            unsafe row[index] = UInt8(truncatingIfNeeded: sum &>> 1)
        }
    }

    /// Limited to full range, in place.
    static func stretch(_ row: SampleRow, by stretch: RangeStretch, count: Int) {
        for index in 0..<count { unsafe row[index] = stretched(row[index], by: stretch) }
    }

    @inline(__always)
    static func stretched(_ sample: UInt8, by stretch: RangeStretch) -> UInt8 {
        let inside = UInt16(min(max(sample, stretch.low) &- stretch.low, stretch.span))
        return UInt8(truncatingIfNeeded: inside &+ (inside &* stretch.gain &+ stretch.bias) &>> stretch.shift)
    }

    /// In place, by the chroma contribution, one sum per pair of samples.
    static func correctLuma(_ row: SampleRow, adding sums: Sums, by matrix: MatrixCorrection, pairs: Int) {
        let gain = matrix.lumaGain
        for index in 0..<pairs {
            let sum = unsafe sums[index]
            unsafe row[2 &* index] = sample(gain &* Int32(row[2 &* index]) &+ sum)
            unsafe row[2 &* index &+ 1] = sample(gain &* Int32(row[2 &* index &+ 1]) &+ sum)
        }
    }

    /// Chroma contribution to luma, biases included, with ``MatrixCorrection/shift`` fraction bits.
    static func sumChroma(_ cb: SourceRow, _ cr: SourceRow, by matrix: MatrixCorrection, into sums: Sums, count: Int) {
        let (fromCb, fromCr, bias) = (matrix.lumaFromCb, matrix.lumaFromCr, matrix.lumaBias)
        for index in 0..<count {
            unsafe sums[index] = fromCb &* Int32(cb[index]) &+ fromCr &* Int32(cr[index]) &+ bias
        }
    }

    static func correctChroma(_ cb: SampleRow, _ cr: SampleRow, by matrix: MatrixCorrection, count: Int) {
        let (cbGain, cbFromCr, cbBias) = (matrix.cbGain, matrix.cbFromCr, matrix.cbBias)
        let (crGain, crFromCb, crBias) = (matrix.crGain, matrix.crFromCb, matrix.crBias)
        for index in 0..<count {
            let blue = unsafe Int32(cb[index])
            let red = unsafe Int32(cr[index])
            unsafe cb[index] = sample(cbGain &* blue &+ cbFromCr &* red &+ cbBias)
            unsafe cr[index] = sample(crGain &* red &+ crFromCb &* blue &+ crBias)
        }
    }

    /// Clamps to 0...255; the bias includes the rounding.
    @inline(__always)
    private static func sample(_ sum: Int32) -> UInt8 {
        UInt8(truncatingIfNeeded: min(max(sum &>> MatrixCorrection.shift, 0), 255))
    }

    typealias Sum = FixedWidthInteger & UnsignedInteger

    /// Sums must not exceed the bits of their type, here and in `addSums`.
    @inline(__always)
    static func setSums<S: Sum>(_ sums: UnsafeMutablePointer<S>, to row: SourceRow, times weight: S, count: Int) {
        for index in 0..<count { unsafe sums[index] = S(truncatingIfNeeded: row[index]) &* weight }
    }

    @inline(__always)
    static func addSums<S: Sum>(_ sums: UnsafeMutablePointer<S>, of row: SourceRow, times weight: S, count: Int) {
        for index in 0..<count { unsafe sums[index] = sums[index] &+ S(truncatingIfNeeded: row[index]) &* weight }
    }

    static func reverse(_ row: SourceRow, into target: SampleRow, count: Int) {
        var index = 0
        while index &+ 8 <= count {
            let word = unsafe UnsafeRawPointer(row + (count &- 8 &- index)).loadUnaligned(as: UInt64.self)
            unsafe UnsafeMutableRawPointer(target + index).storeBytes(of: word.byteSwapped, as: UInt64.self)
            index &+= 8
        }
        while index < count {
            unsafe target[index] = unsafe row[count &- 1 &- index]
            index &+= 1
        }
    }

    /// 8x8 samples; strides are in bytes.
    @inline(__always)
    static func transposeBlock(_ source: SourceRow, stride: Int, into target: SampleRow, targetStride: Int) {
        var rows = InlineArray<8, UInt64>(repeating: 0)
        for index in 0..<8 {
            let place = unsafe UnsafeRawPointer(source + index &* stride)
            rows[index] = unsafe UInt64(littleEndian: place.loadUnaligned(as: UInt64.self))
        }
        // Swaps blocks of 4x4, then of 2x2 inside them, then single samples.
        exchange(&rows, distance: 4, shift: 32, mask: 0x0000_0000_FFFF_FFFF)
        exchange(&rows, distance: 2, shift: 16, mask: 0x0000_FFFF_0000_FFFF)
        exchange(&rows, distance: 1, shift: 8, mask: 0x00FF_00FF_00FF_00FF)
        for index in 0..<8 {
            let place = unsafe UnsafeMutableRawPointer(target + index &* targetStride)
            unsafe place.storeBytes(of: rows[index].littleEndian, as: UInt64.self)
        }
    }

    @inline(__always)
    private static func exchange(_ rows: inout InlineArray<8, UInt64>, distance: Int, shift: UInt64, mask: UInt64) {
        for index in 0..<8 where index & distance == 0 {
            let (upper, lower) = (rows[index], rows[index &+ distance])
            let difference = (upper &>> shift ^ lower) & mask
            rows[index] = upper ^ difference &<< shift
            rows[index &+ distance] = lower ^ difference
        }
    }

    /// `target` must be as wide as `source` is high, and vice versa.
    static func transpose(_ source: SourcePlane, into target: SamplePlane) {
        let (width, height) = unsafe (source.width, source.height)
        let (wholeColumns, wholeRows) = (width / 8 * 8, height / 8 * 8)
        for top in stride(from: 0, to: wholeRows, by: 8) {
            for left in stride(from: 0, to: wholeColumns, by: 8) {
                let (from, to) = unsafe (source.row(top) + left, target.row(left) + top)
                unsafe transposeBlock(from, stride: source.stride, into: to, targetStride: target.stride)
            }
        }
        for row in 0..<height {
            let first = row < wholeRows ? wholeColumns : 0
            for column in first..<width { unsafe target.row(column)[row] = unsafe source.row(row)[column] }
        }
    }
}
