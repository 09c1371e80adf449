// SPDX-License-Identifier: Apache-2.0

extension RowKernels {
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
}
