// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Draws a part of a plane into another one, scaled and mirrored.
///
/// Rows are weighed first, with eight fraction bits and a row at a time, which the compiler makes vector code of; only
/// what remains is weighed along the columns.
struct PlaneScaler {
    private let columns: AxisTaps
    private let rows: AxisTaps

    /// What the weights of rows add up to: 255 times it is a 16-bit number.
    private static let rowTotal = 256
    /// What the weights of columns add up to: 255 times both totals is a 32-bit number, with room for the half that
    /// rounds it.
    private static let columnTotal = 1 << 16

    /// A scaler for planes of these axes.
    init(columns: AxisTaps.Axis, rows: AxisTaps.Axis) {
        self.columns = AxisTaps(columns, total: Self.columnTotal)
        self.rows = AxisTaps(rows, total: Self.rowTotal)
    }

    /// Draws; the planes must be those that the axes tell of, and not the same.
    func draw(_ source: SourcePlane, into target: SamplePlane) {
        precondition(
            unsafe target.width == columns.parts.count && target.height == rows.parts.count
                && columns.range.upperBound <= source.width && rows.range.upperBound <= source.height,
            "the planes are those that the scaler was made for"
        )
        if rows.kind != .weighed, columns.kind != .weighed {
            unsafe move(source, into: target)
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

    /// Weighs one row of sums along the columns.
    private func gather(_ sums: UnsafePointer<UInt16>, into row: UnsafeMutablePointer<UInt8>) {
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
