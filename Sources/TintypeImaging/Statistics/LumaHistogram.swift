// SPDX-License-Identifier: Apache-2.0

/// How many pixels have which luma, of one picture or of several.
package struct LumaHistogram: Sendable {
    private var counts = [UInt64](repeating: 0, count: 256)

    /// Of no pixel yet.
    package init() {}

    /// Adds one pixel.
    mutating func add(_ luma: UInt8) { counts[Int(luma)] += 1 }

    /// Adds all pixels of a picture, a byte each.
    package mutating func add(_ luma: [UInt8]) { for value in luma { add(value) } }

    /// How many pixels there are.
    package var total: UInt64 { counts.reduce(0, +) }

    /// The mean luma; nil without a pixel.
    package var mean: Double? {
        let total = total
        guard total > 0 else { return nil }
        return counts.enumerated().reduce(0.0) { $0 + Double($1.offset) * Double($1.element) } / Double(total)
    }

    /// The luma that one pixel in a hundred lies below; nil without a pixel.
    package var darkest: Int? {
        let total = total
        return total > 0 ? luma(after: total / 100) : nil
    }

    /// The luma that one pixel in a hundred lies above; nil without a pixel.
    package var brightest: Int? {
        let total = total
        return total > 0 ? luma(after: total - 1 - total / 100) : nil
    }

    /// How many pixels have at least this luma.
    func count(from luma: Int) -> UInt64 { counts[luma...].reduce(0, +) }

    /// How many pixels have at most this luma.
    func count(through luma: Int) -> UInt64 { counts[...luma].reduce(0, +) }

    /// The luma of the pixel that has `rank` darker ones before it.
    private func luma(after rank: UInt64) -> Int {
        var seen: UInt64 = 0
        return counts.firstIndex { count in
            seen += count
            return seen > rank
        } ?? 255
    }
}
