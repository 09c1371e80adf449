// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// A Y'CbCr matrix in floating point, apart from the encoder's arithmetic.
struct Weights {
    private let red: Double
    private let blue: Double

    init(_ matrix: ColorEncoding.Matrix) {
        (red, blue) =
            switch matrix {
            case .bt601: (0.299, 0.114)
            case .bt709: (0.2126, 0.0722)
            case .smpte240m: (0.212, 0.087)
            case .bt2020: (0.2627, 0.0593)
            }
    }

    func yuv(_ r: Double, _ g: Double, _ b: Double) -> (y: Double, pb: Double, pr: Double) {
        let y = red * r + (1 - red - blue) * g + blue * b
        return (y, (b - y) / (2 * (1 - blue)), (r - y) / (2 * (1 - red)))
    }

    func rgb(_ y: Double, _ pb: Double, _ pr: Double) -> [Double] {
        let r = y + 2 * (1 - red) * pr
        let b = y + 2 * (1 - blue) * pb
        return [r, (y - red * r - blue * b) / (1 - red - blue), b]
    }
}
