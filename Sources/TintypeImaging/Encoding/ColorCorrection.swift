// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Conversion of Y'CbCr samples from one ``ColorEncoding`` to JFIF.
enum ColorCorrection: Equatable {
    /// Only the range differs: luma and chroma are stretched independently.
    case range
    /// The matrix differs, and possibly the range: luma and chroma depend on each other.
    case matrix(MatrixCorrection)

    /// Nil if `source` is already JFIF.
    init?(from source: ColorEncoding) {
        guard source != .jfif else { return nil }
        self = source.matrix == .bt601 ? .range : .matrix(MatrixCorrection(from: source))
    }
}

/// Limited to full range: `t + (t * gain + bias) >> shift`, with `t` the sample less 16, clamped to its range.
///
/// Fits unsigned 16-bit lanes, which every vector unit has. The error is below 0.54; black, white and grey are exact.
struct RangeStretch: Equatable {
    /// Black level, or the minimum of chroma.
    let low: UInt8 = 16
    /// Distance from ``low`` to white, or to the maximum of chroma.
    let span: UInt8
    let gain: UInt16
    let bias: UInt16
    let shift: UInt16

    /// Maps 16...235 to 0...255 (`gain` 36/219; `bias` rounds and distributes the error of `gain`).
    static let luma = RangeStretch(span: 219, gain: 168, bias: 512 + 36, shift: 10)
    /// Maps 16...240 to 0.5...255.5, centred on 128 (`gain` 31/224; `bias` includes the half).
    static let chroma = RangeStretch(span: 224, gain: 283, bias: 1024 + 1024 + 48, shift: 11)
}

/// Integer arithmetic from another Y'CbCr matrix, of either range, to JFIF; the error is below 0.52, greys are exact.
///
/// With normalised signals Y, Pb and Pr, a change of matrix keeps greys and mixes chroma into luma: `Y' = Y + yb Pb +
/// yr Pr`; `Pb'` and `Pr'` are linear in `Pb` and `Pr`. A change of range scales and shifts. Sources: ITU-R BT.601-7,
/// BT.709-6 and BT.2020-2 for the luma weights, JFIF 1.02 for the target.
struct MatrixCorrection: Equatable {
    /// Fraction bits of the coefficients.
    static let shift: Int32 = 14

    // A gain is the diagonal coefficient of a signal. A bias includes rounding and the offset of 128 of Cb and Cr.
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

    init(from source: ColorEncoding) {
        let target = LumaWeights(.bt601)
        let weights = LumaWeights(source.matrix)
        let isLimited = source.range == .limited
        let lumaScale = isLimited ? 255.0 / 219 : 1
        let chromaScale = isLimited ? 255.0 / 224 : 1

        // Contribution of Pb and of Pr to Y'.
        let yb = target.blue * weights.blueSpan - target.green * weights.blue * weights.blueSpan / weights.green
        let yr = target.red * weights.redSpan - target.green * weights.red * weights.redSpan / weights.green

        lumaGain = Self.fixed(lumaScale)
        lumaFromCb = Self.fixed(chromaScale * yb)
        lumaFromCr = Self.fixed(chromaScale * yr)
        cbGain = Self.fixed(chromaScale * (weights.blueSpan - yb) / target.blueSpan)
        cbFromCr = Self.fixed(-chromaScale * yr / target.blueSpan)
        crGain = Self.fixed(chromaScale * (weights.redSpan - yr) / target.redSpan)
        crFromCb = Self.fixed(-chromaScale * yb / target.redSpan)

        // Derived from the rounded coefficients, so that greys stay exact.
        let half: Int32 = 1 << (Self.shift - 1)
        let middle: Int32 = 128 << Self.shift
        lumaBias = half - (isLimited ? 16 : 0) * lumaGain - 128 * (lumaFromCb + lumaFromCr)
        cbBias = half + middle - 128 * (cbGain + cbFromCr)
        crBias = half + middle - 128 * (crGain + crFromCb)
    }

    private static func fixed(_ value: Double) -> Int32 { Int32((value * Double(1 << shift)).rounded()) }
}

private struct LumaWeights {
    let red: Double
    let blue: Double
    var green: Double { 1 - red - blue }
    /// B - Y at Pb = 1.
    var blueSpan: Double { 2 * (1 - blue) }
    /// R - Y at Pr = 1.
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
