// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The peak signal-to-noise ratio of a picture against a reference of the same size, in dB.
func psnr(_ picture: [UInt8], against reference: [Double]) -> Double {
    guard picture.count == reference.count, !picture.isEmpty else { return 0 }
    let sum = zip(picture, reference).reduce(0.0) { $0 + pow(Double($1.0) - $1.1, 2) }
    return 10 * log10(255 * 255 * Double(picture.count) / max(sum, 1e-9))
}

/// The mean of each of R, G and B in what remains of a picture after a reference is taken away: a tint or a
/// brightening shows here though the noise may be small.
func meanDifference(_ picture: [UInt8], from reference: [Double]) -> [Double] {
    (0..<3).map { channel in
        let places = stride(from: channel, to: min(picture.count, reference.count), by: 3)
        let sum = places.reduce(0.0) { $0 + Double(picture[$1]) - reference[$1] }
        return sum / Double(max(1, picture.count / 3))
    }
}
