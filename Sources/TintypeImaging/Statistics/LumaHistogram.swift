// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

struct LumaHistogram: Sendable {
    private var counts = [UInt64](repeating: 0, count: 256)

    mutating func add(_ luma: UInt8) { counts[Int(luma)] += 1 }
    var total: UInt64 { counts.reduce(0, +) }

    var mean: Double? {
        let total = total
        guard total > 0 else { return nil }
        return counts.enumerated().reduce(0.0) { $0 + Double($1.offset) * Double($1.element) } / Double(total)
    }

    /// First percentile.
    var darkest: Int? { darkest(but: total / 100) }

    /// 99th percentile.
    var brightest: Int? { brightest(but: total / 100) }

    /// True if these pixels prove that a picture of `total` pixels, including them, is neither black nor uniform.
    func showsSomething(inPictureOf total: Int) -> Bool {
        let hundredth = UInt64(total / 100)
        guard let darkest = darkest(but: hundredth), let brightest = brightest(but: hundredth) else { return false }
        return brightest >= ImageDefect.darkLuma && brightest - darkest >= ImageDefect.evenSpan
    }

    /// Minimum luma without the `count` darkest pixels.
    private func darkest(but count: UInt64) -> Int? {
        var seen: UInt64 = 0
        return counts.firstIndex { pixels in
            seen += pixels
            return seen > count
        }
    }

    /// Maximum luma without the `count` brightest pixels.
    private func brightest(but count: UInt64) -> Int? {
        var seen: UInt64 = 0
        return counts.lastIndex { pixels in
            seen += pixels
            return seen > count
        }
    }
}
