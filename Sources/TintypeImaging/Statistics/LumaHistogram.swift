// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// How many pixels of a picture have which luma.
struct LumaHistogram: Sendable {
    private var counts = [UInt64](repeating: 0, count: 256)

    mutating func add(_ luma: UInt8) { counts[Int(luma)] += 1 }

    var total: UInt64 { counts.reduce(0, +) }

    /// The mean luma; nil without a pixel.
    var mean: Double? {
        let total = total
        guard total > 0 else { return nil }
        return counts.enumerated().reduce(0.0) { $0 + Double($1.offset) * Double($1.element) } / Double(total)
    }

    /// The luma that one pixel in a hundred lies below; nil without a pixel.
    var darkest: Int? { darkest(but: total / 100) }

    /// The luma that one pixel in a hundred lies above; nil without a pixel.
    var brightest: Int? { brightest(but: total / 100) }

    /// Whether these pixels tell that a picture of `total` pixels, of which they are some, is neither black nor of one
    /// tone.
    func showsSomething(inPictureOf total: Int) -> Bool {
        let hundredth = UInt64(total / 100)
        guard let darkest = darkest(but: hundredth), let brightest = brightest(but: hundredth) else { return false }
        return brightest >= Appearance.darkLuma && brightest - darkest >= Appearance.evenSpan
    }

    /// The least luma of all pixels but the `count` darkest; nil where there are no more.
    private func darkest(but count: UInt64) -> Int? {
        var seen: UInt64 = 0
        return counts.firstIndex { pixels in
            seen += pixels
            return seen > count
        }
    }

    /// The largest luma of all pixels but the `count` brightest; nil where there are no more.
    private func brightest(but count: UInt64) -> Int? {
        var seen: UInt64 = 0
        return counts.lastIndex { pixels in
            seen += pixels
            return seen > count
        }
    }
}
