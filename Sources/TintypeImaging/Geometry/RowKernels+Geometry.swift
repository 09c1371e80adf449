// SPDX-License-Identifier: Apache-2.0

extension RowKernels {
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
