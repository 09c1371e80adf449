// SPDX-License-Identifier: Apache-2.0

/// Along one axis of a plane: which samples, and how much of each, make each sample of the plane that is drawn of it.
///
/// Each sample of the result is the mean of what it covers, with the shares of the samples at its ends: an area average.
/// Where nothing is scaled and the samples lie on each other it is a copy.
struct AxisTaps {
    /// The parts of an axis, in pixels of the picture.
    struct Axis {
        /// Samples of the plane.
        let sampleCount: Int
        /// Pixels that a sample stands for: as many, divided by ``pixelDivisor``.
        let pixels: Int
        /// See ``pixels``; more than 1 where the plane was decoded at less than its size.
        let pixelDivisor: Int
        /// Where the part begins that is drawn, in pixels.
        let origin: Int
        /// How long it is.
        let length: Int
        /// How long the result is, in its own pixels.
        let resultLength: Int
        /// Pixels of the result that one of its samples stands for.
        let resultPixels: Int
        /// Samples that the result has; those behind its last one repeat it.
        let resultCount: Int
        /// Whether the result begins at the end of the part.
        let isMirrored: Bool
    }

    /// How the result lies to the plane.
    enum Kind: Equatable {
        /// Sample by sample, in order.
        case copied
        /// Sample by sample, the last first.
        case reversed
        /// Means of several samples, or in no plain order.
        case weighed
    }

    /// The first sample that goes into each, and how many do.
    let parts: [(first: Int32, count: Int32)]
    /// How much of each, one after the other; those of one sample of the result add up to the total.
    let weights: [UInt32]
    let kind: Kind
    /// Samples of the result before those that repeat its last one.
    let ownCount: Int
    /// The samples that are needed at all.
    let range: Range<Int>

    /// The taps of an axis.
    ///
    /// - Parameters:
    ///   - axis: the parts of it.
    ///   - total: what the weights of one sample of the result add up to.
    init(_ axis: Axis, total: Int) {
        var parts: [(first: Int32, count: Int32)] = []
        var weights: [UInt32] = []
        parts.reserveCapacity(axis.resultCount)
        weights.reserveCapacity(axis.length / axis.pixels + 2 * axis.resultCount)
        let last = (axis.resultLength - 1) / axis.resultPixels
        // Positions are whole multiples of 1 / unit of a sample: nothing is rounded before the weights.
        let unit = axis.pixels * axis.resultLength
        for index in 0..<axis.resultCount {
            let begin = min(index, last) * axis.resultPixels
            let end = min(begin + axis.resultPixels, axis.resultLength)
            let (from, to) =
                axis.isMirrored ? (axis.resultLength - end, axis.resultLength - begin) : (begin, end)
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
