// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// What turns Y'CbCr samples of one ``ColorEncoding`` into those of JFIF.
enum ColorCorrection: Equatable {
    /// Only the range differs: luma and chroma are stretched, each by itself.
    case range
    /// The matrix differs, and the range perhaps: luma and chroma depend on one another.
    case matrix(MatrixCorrection)

    /// The correction from `source` to JFIF; nil where there is nothing to correct.
    init?(from source: ColorEncoding) {
        guard source != .jfif else { return nil }
        self = source.matrix == .bt601 ? .range : .matrix(MatrixCorrection(from: source))
    }
}

/// The integer arithmetic that stretches limited range to full range: `t + (t * gain + bias) >> shift`, where `t` is
/// the sample less 16, held within its range.
///
/// All of it fits 16 bits without a sign, which every vector unit has; the error of a result is below 0.54, and black,
/// white and grey are exact.
struct RangeStretch: Equatable {
    /// The value that black has, or the least chroma.
    let low: UInt8 = 16
    /// The distance to white, or to the most chroma.
    let span: UInt8
    let gain: UInt16
    let bias: UInt16
    let shift: UInt16

    /// 16 to 235 becomes 0 to 255: `gain` is 36/219, `bias` rounds and shares out the error of `gain`.
    static let luma = RangeStretch(span: 219, gain: 168, bias: 512 + 36, shift: 10)
    /// 16 to 240 becomes 0.5 to 255.5, about 128: `gain` is 31/224, `bias` has the half as well.
    static let chroma = RangeStretch(span: 224, gain: 283, bias: 1024 + 1024 + 48, shift: 11)
}

/// The integer arithmetic that turns Y'CbCr samples of another matrix, and of either range, into those of JFIF.
///
/// With Y, Pb and Pr the normalised signals, a change of matrix keeps greys and mixes chroma into luma:
/// `Y' = Y + yb Pb + yr Pr`, and `Pb'`, `Pr'` are two sums of `Pb` and `Pr`. A change of range scales and shifts. Both
/// are one 3x3 matrix with an offset, of which two entries are 0. Source: ITU-R BT.601-7, BT.709-6 and BT.2020-2 for
/// the luma weights, JFIF 1.02 for the target.
///
/// The error of a result is below 0.52; black, white and grey are exact.
struct MatrixCorrection: Equatable {
    /// Fraction bits of the coefficients.
    static let shift: Int32 = 14

    // A gain is the coefficient of a signal in itself; a bias has the rounding and the offset of 128 in Cb and Cr.
    let lumaGain: Int32
    let lumaFromCb: Int32
    let lumaFromCr: Int32
    let lumaBias: Int32
    let cbGain: Int32
    let cbFromCr: Int32
    let cbBias: Int32
    let crGain: Int32
    let crFromCb: Int32
    let crBias: Int32

    /// The arithmetic from `source` to JFIF.
    init(from source: ColorEncoding) {
        let target = LumaWeights(.bt601)
        let weights = LumaWeights(source.matrix)
        let isLimited = source.range == .limited
        let lumaScale = isLimited ? 255.0 / 219 : 1
        let chromaScale = isLimited ? 255.0 / 224 : 1

        // What one unit of Pb and of Pr does to Y'.
        let yb = target.blue * weights.blueSpan - target.green * weights.blue * weights.blueSpan / weights.green
        let yr = target.red * weights.redSpan - target.green * weights.red * weights.redSpan / weights.green

        lumaGain = Self.fixed(lumaScale)
        lumaFromCb = Self.fixed(chromaScale * yb)
        lumaFromCr = Self.fixed(chromaScale * yr)
        cbGain = Self.fixed(chromaScale * (weights.blueSpan - yb) / target.blueSpan)
        cbFromCr = Self.fixed(-chromaScale * yr / target.blueSpan)
        crGain = Self.fixed(chromaScale * (weights.redSpan - yr) / target.redSpan)
        crFromCb = Self.fixed(-chromaScale * yb / target.redSpan)

        // The biases come from the rounded coefficients: so greys stay exact.
        let half: Int32 = 1 << (Self.shift - 1)
        let middle: Int32 = 128 << Self.shift
        lumaBias = half - (isLimited ? 16 : 0) * lumaGain - 128 * (lumaFromCb + lumaFromCr)
        cbBias = half + middle - 128 * (cbGain + cbFromCr)
        crBias = half + middle - 128 * (crGain + crFromCb)
    }

    private static func fixed(_ value: Double) -> Int32 { Int32((value * Double(1 << shift)).rounded()) }
}

/// The weights of R, G and B in luma.
private struct LumaWeights {
    let red: Double
    let blue: Double
    var green: Double { 1 - red - blue }
    /// The distance of B from Y at Pb = 1.
    var blueSpan: Double { 2 * (1 - blue) }
    /// The distance of R from Y at Pr = 1.
    var redSpan: Double { 2 * (1 - red) }

    init(_ matrix: ColorEncoding.Matrix) {
        (red, blue) =
            switch matrix {
            case .bt601: (0.299, 0.114)
            case .bt709: (0.2126, 0.0722)
            case .smpte240m: (0.212, 0.087)
            case .bt2020: (0.2627, 0.0593)
            }
    }
}
