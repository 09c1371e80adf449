// SPDX-License-Identifier: Apache-2.0
internal import TintypeCapture
internal import TintypeFrames
internal import TintypeImaging
package import TintypeModel

/// Counts what pictures show, by their luma.
package struct LumaStatistics: Sendable {
    private var histogram = LumaHistogram()
    private var last: [UInt8]?
    /// What there is to say of the pictures so far.
    package private(set) var tally = PictureTally()

    /// No picture yet.
    package init() {}

    /// Adds one picture, a byte a pixel; keeps it until the next one, to compare the two.
    package mutating func add(_ luma: [UInt8]) {
        histogram.add(luma)
        if let last, last != luma { tally.changed += 1 }
        last = luma
        tally.examined += 1
        tally.meanLuma = histogram.mean.map { ($0 * 10).rounded() / 10 }
        (tally.darkest, tally.brightest) = (histogram.darkest, histogram.brightest)
    }

    /// Adds one that was no picture.
    package mutating func addCorrupt() { tally.corrupt += 1 }
}
