// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

/// Peak signal-to-noise ratio of a picture against a reference of the same size, in dB.
func psnr(_ picture: [UInt8], against reference: [Double]) -> Double {
    guard picture.count == reference.count, !picture.isEmpty else { return 0 }
    let sum = zip(picture, reference).reduce(0.0) { $0 + pow(Double($1.0) - $1.1, 2) }
    return 10 * log10(255 * 255 * Double(picture.count) / max(sum, 1e-9))
}

/// Mean difference of R, G and B between a picture and a reference: reveals a tint or a brightness offset
/// even at low noise.
func meanDifference(_ picture: [UInt8], from reference: [Double]) -> [Double] {
    (0..<3).map { channel in
        let places = stride(from: channel, to: min(picture.count, reference.count), by: 3)
        let sum = places.reduce(0.0) { $0 + Double(picture[$1]) - reference[$1] }
        return sum / Double(max(1, picture.count / 3))
    }
}

/// Converts to the Y', Cb' and Cr' of JFIF through R, G and B, in floating point by definition.
func exactCorrection(_ luma: Double, _ cb: Double, _ cr: Double, _ encoding: ColorEncoding) -> [Double] {
    let isFull = encoding.range == .full
    // Chroma outside its range is clamped if only the range differs.
    let isHeld = encoding == ColorEncoding(matrix: .bt601, range: .limited)
    let (cb, cr) = isHeld ? (min(max(cb, 16), 240), min(max(cr, 16), 240)) : (cb, cr)
    let y = isFull ? luma / 255 : (luma - 16) / 219
    let pb = (cb - 128) / (isFull ? 255 : 224)
    let pr = (cr - 128) / (isFull ? 255 : 224)
    let (kr, kb) = SampleColor.weights(encoding.matrix)
    let red = y + 2 * (1 - kr) * pr
    let blue = y + 2 * (1 - kb) * pb
    let green = (y - kr * red - kb * blue) / (1 - kr - kb)
    let jfif = SampleColor(red: red, green: green, blue: blue).yuv(.bt601)
    return [255 * jfif.y, 128 + 255 * jfif.pb, 128 + 255 * jfif.pr].map { min(max($0, 0), 255) }
}
