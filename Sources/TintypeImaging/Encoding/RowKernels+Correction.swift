// SPDX-License-Identifier: Apache-2.0

extension RowKernels {
    /// Limited to full range, in place.
    static func stretch(_ row: SampleRow, by stretch: RangeStretch, count: Int) {
        let (low, span, gain, bias, shift) = (stretch.low, stretch.span, stretch.gain, stretch.bias, stretch.shift)
        for index in 0..<count {
            let inside = unsafe min(max(row[index], low) &- low, span)
            let value = UInt16(inside)
            unsafe row[index] = UInt8(truncatingIfNeeded: value &+ (value &* gain &+ bias) &>> shift)
        }
    }

    /// In place, by the chroma contribution, one sum per pair of samples.
    static func correctLuma(_ row: SampleRow, adding sums: Sums, by correction: MatrixCorrection, pairs: Int) {
        let gain = correction.lumaGain
        for index in 0..<pairs {
            let sum = unsafe sums[index]
            unsafe row[2 &* index] = sample(gain &* Int32(row[2 &* index]) &+ sum)
            unsafe row[2 &* index &+ 1] = sample(gain &* Int32(row[2 &* index &+ 1]) &+ sum)
        }
    }

    /// Chroma contribution to luma, biases included, with ``MatrixCorrection/shift`` fraction bits.
    static func sumChroma(
        _ cb: SourceRow,
        _ cr: SourceRow,
        by correction: MatrixCorrection,
        into sums: Sums,
        count: Int
    ) {
        let (fromCb, fromCr, bias) = (correction.lumaFromCb, correction.lumaFromCr, correction.lumaBias)
        for index in 0..<count {
            unsafe sums[index] = fromCb &* Int32(cb[index]) &+ fromCr &* Int32(cr[index]) &+ bias
        }
    }

    static func correctChroma(_ cb: SampleRow, _ cr: SampleRow, by correction: MatrixCorrection, count: Int) {
        let (cbGain, cbFromCr, cbBias) = (correction.cbGain, correction.cbFromCr, correction.cbBias)
        let (crGain, crFromCb, crBias) = (correction.crGain, correction.crFromCb, correction.crBias)
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
