// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import TintypeModel

/// How bright one frame is, and when the driver stamped it.
package struct BrightFrame: Hashable, Sendable {
    /// The driver's stamp as it is, without a lead.
    package var stamp: MonotonicTime
    /// The light in each of ``bandCount`` bands of rows, the topmost first: 0 is black, 1 is white.
    ///
    /// The mean of all pixels of the band, each as light (a camera's numbers grow with the power 1/2.2 of it), so that
    /// half the light of a lamp is half of what the whole lamp adds.
    package var bands: [Double]

    /// The bands of a frame: enough to tell the top rows from those that are exposed later.
    package static let bandCount = 8

    /// A frame of these parts.
    package init(stamp: MonotonicTime, bands: [Double]) {
        self.stamp = stamp
        self.bands = bands
    }

    /// A frame by its luma, a byte a pixel, rows of `width` without padding.
    package init(stamp: MonotonicTime, luma: [UInt8], width: Int) {
        let rows = luma.count / max(1, width)
        let bands = (0..<Self.bandCount).map { band -> Double in
            let pixels = luma[rows * band / Self.bandCount * width..<rows * (band + 1) / Self.bandCount * width]
            return pixels.reduce(0) { $0 + Self.light[Int($1)] } / Double(max(1, pixels.count))
        }
        self.init(stamp: stamp, bands: bands)
    }

    /// The light behind each number of a camera.
    private static let light = (0..<256).map { pow(Double($0) / 255, 2.2) }
}
