// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

struct LumaHistogram: Sendable {
    private var counts = [UInt64](repeating: 0, count: 256)

    mutating func add(_ luma: UInt8) { counts[Int(luma)] += 1 }
    var total: UInt64 { counts.reduce(0, +) }

    var mean: Double {
        let sum = counts.enumerated().reduce(0.0) { $0 + Double($1.offset) * Double($1.element) }
        return sum / Double(max(1, total))
    }

    /// True if these pixels prove that a picture of `total` pixels, including them, is neither black nor uniform.
    func showsSomething(inPictureOf total: UInt64) -> Bool {
        guard let (darkest, brightest) = extremes(inPictureOf: total) else { return false }
        return brightest >= ImageDefect.darkLuma && brightest - darkest >= ImageDefect.evenSpan
    }

    /// Minimum luma without the darkest, and maximum without the brightest hundredth of a picture of `total` pixels.
    ///
    /// Nil if these pixels are not more than a hundredth.
    func extremes(inPictureOf total: UInt64) -> (darkest: Int, brightest: Int)? {
        var (below, above): (UInt64, UInt64) = (0, 0)
        let darkest = counts.firstIndex { pixels in
            below += pixels
            return below > total / 100
        }
        let brightest = counts.lastIndex { pixels in
            above += pixels
            return above > total / 100
        }
        guard let darkest, let brightest else { return nil }
        return (darkest, brightest)
    }
}
