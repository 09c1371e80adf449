// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// Counts what pictures show, by their luma.
package struct LumaStatistics: Sendable {
    private var histogram = [UInt64](repeating: 0, count: 256)
    private var last: [UInt8]?
    private var count = 0
    private var changed = 0
    private var corrupt = 0

    /// No picture yet.
    package init() {}

    /// Adds one picture, a byte a pixel; keeps it until the next one, to compare the two.
    package mutating func add(_ luma: [UInt8]) {
        for value in luma { histogram[Int(value)] += 1 }
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
        let pixels = histogram.reduce(0, +)
        guard pixels > 0 else { return tally }
        let sum = histogram.enumerated().reduce(0.0) { $0 + Double($1.offset) * Double($1.element) }
        tally.meanLuma = (sum / Double(pixels) * 10).rounded() / 10
        tally.darkest = luma(below: pixels / 100)
        tally.brightest = luma(below: pixels - 1 - pixels / 100)
        return tally
    }

    /// The luma of the pixel that has `rank` darker ones before it.
    private func luma(below rank: UInt64) -> Int {
        var seen: UInt64 = 0
        return histogram.firstIndex { count in
            seen += count
            return seen > rank
        } ?? 255
    }
}
