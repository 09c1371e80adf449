// SPDX-License-Identifier: Apache-2.0
internal import TintypeImaging
package import TintypeModel

/// Counts what pictures show, by their luma.
package struct LumaStatistics: Sendable {
    private var histogram = LumaHistogram()
    private var last: [UInt8]?
    private var count = 0
    private var changed = 0
    private var corrupt = 0

    /// No picture yet.
    package init() {}

    /// Adds one picture, a byte a pixel; keeps it until the next one, to compare the two.
    package mutating func add(_ luma: [UInt8]) {
        histogram.add(luma)
        if let last, last != luma { changed += 1 }
        last = luma
        count += 1
    }

    /// Adds one that was no picture.
    package mutating func addCorrupt() { corrupt += 1 }

    /// What there is to say of the pictures so far.
    package var tally: PictureTally {
        var tally = PictureTally()
        tally.examined = count
        tally.corrupt = corrupt
        tally.changed = changed
        tally.meanLuma = histogram.mean.map { ($0 * 10).rounded() / 10 }
        tally.darkest = histogram.darkest
        tally.brightest = histogram.brightest
        return tally
    }
}
