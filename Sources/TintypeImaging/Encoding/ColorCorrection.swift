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
