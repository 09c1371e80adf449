// SPDX-License-Identifier: Apache-2.0

/// Source samples and weights of each result sample along one axis of a plane (area averaging).
///
/// Each result sample is the mean of the area it covers, with fractional weights at its ends.
struct AxisTaps {
    /// In pixels of the source picture, where not said otherwise.
    struct Axis {
        let sampleCount: Int
        /// Pixels per source sample, as `pixels / pixelDivisor`.
        let pixels: Int
        /// Greater than 1 if the plane was decoded at reduced size.
        let pixelDivisor: Int
        let origin: Int
        let length: Int
        /// In pixels of the result.
        let resultLength: Int
        let resultPixels: Int
        /// Including padding that repeats the last one.
        let resultCount: Int
        /// The result starts at the end of the region.
        let isMirrored: Bool
    }

    enum Kind: Equatable {
        /// One to one, in order.
        case copied
        /// One to one, in reverse order.
        case reversed
        /// Weighted means, or no plain order.
        case weighed
    }

    /// First source sample and number of source samples of each result sample.
    let parts: [(first: Int32, count: Int32)]
    /// Concatenated; those of one result sample add up to the total.
    let weights: [UInt32]
    let kind: Kind
    let ownCount: Int
    let range: Range<Int>

    /// `total` is the sum of the weights of one result sample.
    init(_ axis: Axis, total: Int) {
        var parts: [(first: Int32, count: Int32)] = []
        var weights: [UInt32] = []
        parts.reserveCapacity(axis.resultCount)
        weights.reserveCapacity(axis.length / axis.pixels + 2 * axis.resultCount)
        let last = (axis.resultLength - 1) / axis.resultPixels
        // Positions are integers in units of 1 / `unit` of a sample, so only the weights are rounded.
        let unit = axis.pixels * axis.resultLength
        for index in 0..<axis.resultCount {
            let begin = min(index, last) * axis.resultPixels
            let end = min(begin + axis.resultPixels, axis.resultLength)
            let (from, to) = axis.isMirrored ? (axis.resultLength - end, axis.resultLength - begin) : (begin, end)
            let start = (axis.origin * axis.resultLength + from * axis.length) * axis.pixelDivisor
            let stop = (axis.origin * axis.resultLength + to * axis.length) * axis.pixelDivisor
            let first = min(start / unit, axis.sampleCount - 1)
            let behind = min(max((stop + unit - 1) / unit, first + 1), axis.sampleCount)
            var given = 0
            for sample in first..<behind {
                let covered = min((sample + 1) * unit, stop) - start
                let sum = sample == behind - 1 ? total : (2 * total * covered + stop - start) / (2 * (stop - start))
                weights.append(UInt32(sum - given))
                given = sum
            }
            parts.append((Int32(first), Int32(behind - first)))
        }
        self.parts = parts
        self.weights = weights
        ownCount = min(last + 1, parts.count)
        kind = Self.kind(parts.prefix(ownCount))
        let lows = parts.map { Int($0.first) }
        let highs = parts.map { Int($0.first + $0.count) }
        range = (lows.min() ?? 0)..<(highs.max() ?? 1)
    }

    private static func kind(_ parts: ArraySlice<(first: Int32, count: Int32)>) -> Kind {
        guard let start = parts.first?.first, parts.allSatisfy({ $0.count == 1 }) else { return .weighed }
        if parts.indices.allSatisfy({ parts[$0].first == start + Int32($0) }) { return .copied }
        if parts.indices.allSatisfy({ parts[$0].first == start - Int32($0) }) { return .reversed }
        return .weighed
    }
}
