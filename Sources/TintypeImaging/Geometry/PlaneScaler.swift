// SPDX-License-Identifier: Apache-2.0
internal import Glibc

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
            unsafe weighFinely(source, into: target)
        } else {
            unsafe weigh(source, into: target)
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

    private func weigh(_ source: SourcePlane, into target: SamplePlane) {
        let (start, count) = (columns.range.lowerBound, columns.range.count)
        unsafe withUnsafeTemporaryAllocation(of: UInt16.self, capacity: count) { buffer in
            guard let sums = buffer.baseAddress else { return }
            var weight = 0
            for index in rows.parts.indices {
                let part = rows.parts[index]
                for offset in 0..<Int(part.count) {
                    let row = unsafe source.row(Int(part.first) + offset) + start
                    let share = UInt16(truncatingIfNeeded: rows.weights[weight])
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

    /// ``weigh(_:into:)`` with 16 fraction bits, reduced to 8 at the end.
    private func weighFinely(_ source: SourcePlane, into target: SamplePlane) {
        let (start, count) = (columns.range.lowerBound, columns.range.count)
        unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: count) { fine in
            unsafe withUnsafeTemporaryAllocation(of: UInt16.self, capacity: count) { buffer in
                guard let sums = fine.baseAddress, let narrow = buffer.baseAddress else { return }
                var weight = 0
                for index in rows.parts.indices {
                    let part = rows.parts[index]
                    unsafe sums.update(repeating: 128, count: count)
                    for offset in 0..<Int(part.count) {
                        let row = unsafe source.row(Int(part.first) + offset) + start
                        unsafe RowKernels.addSums(sums, of: row, times: rows.weights[weight], count: count)
                        weight += 1
                    }
                    for column in 0..<count { unsafe narrow[column] = UInt16(truncatingIfNeeded: sums[column] &>> 8) }
                    unsafe gather(narrow, into: target.row(index))
                }
            }
        }
    }

    private func gather(_ sums: UnsafePointer<UInt16>, into row: SampleRow) {
        let start = columns.range.lowerBound
        unsafe columns.parts.withUnsafeBufferPointer { parts in
            unsafe columns.weights.withUnsafeBufferPointer { weights in
                var weight = 0
                for index in 0..<parts.count {
                    let part = unsafe parts[index]
                    let first = Int(part.first) &- start
                    var sum: UInt32 = 1 << 23
                    for offset in 0..<Int(part.count) {
                        sum &+= unsafe UInt32(sums[first &+ offset]) &* weights[weight &+ offset]
                    }
                    weight &+= Int(part.count)
                    unsafe row[index] = UInt8(truncatingIfNeeded: sum &>> 24)
                }
            }
        }
    }
}
