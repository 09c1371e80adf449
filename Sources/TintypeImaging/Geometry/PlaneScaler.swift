// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

/// Scales and mirrors a part of a plane into another plane.
///
/// Rows are weighted first, one at a time, which vectorises: with 8 fraction bits, or 16 for large reductions. Columns
/// are weighted afterwards, on the reduced data.
struct PlaneScaler {
    private let columns: AxisTaps
    private let rows: AxisTaps
    private let isFine: Bool

    /// Sum of the weights of rows; 255 times it fits 16 bits.
    private static let rowTotal = 256
    /// For reductions for which 1/256 is too coarse.
    private static let fineRowTotal = 1 << 16
    /// Maximum reduction of rows with ``rowTotal``.
    private static let mostRows = 16
    /// Sum of the weights of columns; 255 times both totals plus the rounding half fits 32 bits.
    private static let columnTotal = 1 << 16

    init(columns: AxisTaps.Axis, rows: AxisTaps.Axis) {
        self.columns = AxisTaps(columns, total: Self.columnTotal)
        isFine = rows.length * rows.pixelDivisor * rows.resultPixels > Self.mostRows * rows.pixels * rows.resultLength
        self.rows = AxisTaps(rows, total: isFine ? Self.fineRowTotal : Self.rowTotal)
    }

    /// The planes must match the axes and must not overlap.
    func draw(_ source: SourcePlane, into target: SamplePlane) {
        precondition(
            unsafe target.width == columns.parts.count && target.height == rows.parts.count
                && columns.range.upperBound <= source.width && rows.range.upperBound <= source.height,
            "the planes are those that the scaler was made for"
        )
        if rows.kind != .weighed, columns.kind != .weighed {
            unsafe move(source, into: target)
        } else if isFine {
            unsafe weigh(source, into: target, sums: UInt32.self)
        } else {
            unsafe weigh(source, into: target, sums: UInt16.self)
        }
    }

    private func move(_ source: SourcePlane, into target: SamplePlane) {
        let (start, count, padded) = (columns.range.lowerBound, columns.ownCount, columns.parts.count)
        for index in rows.parts.indices {
            let row = unsafe source.row(Int(rows.parts[index].first)) + start
            let drawn = unsafe target.row(index)
            if columns.kind == .copied {
                unsafe memcpy(drawn, row, count)
            } else {
                unsafe RowKernels.reverse(row, into: drawn, count: count)
            }
            unsafe (drawn + count).update(repeating: drawn[count - 1], count: padded - count)
        }
    }

    /// `Sum` has room for 255 times the sum of the weights of rows.
    private func weigh<Sum: RowKernels.Sum>(_ source: SourcePlane, into target: SamplePlane, sums: Sum.Type) {
        let (start, count) = (columns.range.lowerBound, columns.range.count)
        unsafe withUnsafeTemporaryAllocation(of: Sum.self, capacity: count) { buffer in
            guard let sums = buffer.baseAddress else { return }
            var weight = 0
            for index in rows.parts.indices {
                let part = rows.parts[index]
                for offset in 0..<Int(part.count) {
                    let row = unsafe source.row(Int(part.first) + offset) + start
                    let share = Sum(truncatingIfNeeded: rows.weights[weight])
                    if offset == 0 {
                        unsafe RowKernels.setSums(sums, to: row, times: share, count: count)
                    } else {
                        unsafe RowKernels.addSums(sums, of: row, times: share, count: count)
                    }
                    weight += 1
                }
                unsafe gather(sums, into: target.row(index))
            }
        }
    }

    private func gather<Sum: RowKernels.Sum>(_ sums: UnsafePointer<Sum>, into row: SampleRow) {
        let start = columns.range.lowerBound
        // 16 fraction bits are reduced to 8.
        let (half, shift): (Sum, Sum) = Sum.bitWidth > 16 ? (128, 8) : (0, 0)
        unsafe columns.parts.withUnsafeBufferPointer { parts in
            unsafe columns.weights.withUnsafeBufferPointer { weights in
                var weight = 0
                for index in 0..<parts.count {
                    let part = unsafe parts[index]
                    let first = Int(part.first) &- start
                    var sum: UInt32 = 1 << 23
                    for offset in 0..<Int(part.count) {
                        let rows = unsafe UInt32(truncatingIfNeeded: (sums[first &+ offset] &+ half) &>> shift)
                        sum &+= unsafe rows &* weights[weight &+ offset]
                    }
                    weight &+= Int(part.count)
                    unsafe row[index] = UInt8(truncatingIfNeeded: sum &>> 24)
                }
            }
        }
    }
}

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

/// Crops, orients and scales planes; if the region starts between chroma samples, chroma is interpolated.
struct PlaneDrawing {
    let plan: GeometryPlan
    /// Of the source planes.
    let sampling: ChromaSampling
    /// Scale at which the planes were decoded, in eighths.
    var eighths = 8

    static func decodedSize(_ size: FrameSize, eighths: Int) -> FrameSize {
        FrameSize(width: (size.width * eighths + 7) / 8, height: (size.height * eighths + 7) / 8)
    }

    private var resultSampling: ChromaSampling { plan.orientation.swapsAxes ? sampling.turned : sampling.drawn }

    /// `stage` is scratch memory.
    func draw(_ planes: PicturePlanes, into target: inout PlanarPicture, stage: inout PlanarPicture) {
        target.reset(to: plan.size, resultSampling)
        guard plan.orientation.swapsAxes else {
            unsafe drawUpright(planes, into: target)
            return
        }
        stage.reset(to: plan.upright, resultSampling.turned)
        unsafe drawUpright(planes, into: stage)
        for index in 0..<target.planeCount {
            unsafe RowKernels.transpose(stage.plane(index).source, into: target.plane(index))
        }
    }

    private func drawUpright(_ planes: PicturePlanes, into target: borrowing PlanarPicture) {
        let decoded = Self.decodedSize(plan.source, eighths: eighths)
        for index in 0..<target.planeCount {
            let plane = unsafe target.plane(index)
            // Luma is not subsampled.
            let (from, to) = index == 0 ? (ChromaSampling.full, ChromaSampling.full) : (sampling, target.sampling)
            let columns = AxisTaps.Axis(
                sampleCount: (decoded.width + from.columns - 1) / from.columns,
                pixels: 8 * from.columns,
                pixelDivisor: eighths,
                origin: plan.region.left,
                length: plan.region.size.width,
                resultLength: plan.upright.width,
                resultPixels: to.columns,
                resultCount: unsafe plane.width,
                isMirrored: plan.orientation.mirrorsColumns
            )
            let rows = AxisTaps.Axis(
                sampleCount: (decoded.height + from.rows - 1) / from.rows,
                pixels: 8 * from.rows,
                pixelDivisor: eighths,
                origin: plan.region.top,
                length: plan.region.size.height,
                resultLength: plan.upright.height,
                resultPixels: to.rows,
                resultCount: unsafe plane.height,
                isMirrored: plan.orientation.mirrorsRows
            )
            let source = unsafe index == 0 ? planes.luma : index == 1 ? planes.cb : planes.cr
            unsafe PlaneScaler(columns: columns, rows: rows).draw(source, into: plane)
        }
    }
}
