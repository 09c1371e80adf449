// SPDX-License-Identifier: Apache-2.0

/// Takes the samples of one picture, in any order, and sums them up.
struct FrameSampler {
    /// The luma of all samples.
    private(set) var histogram = LumaHistogram()
    /// Cells a row.
    let columns: Int
    private let rows: Int
    private let width: Int
    private let height: Int
    private var sums: [FrameStatistics.Cell]
    private var counts: [Float]

    /// The most cells a row, and the most rows of them.
    private static let most = (columns: 16, rows: 12)

    /// For samples that lie in `width` columns and `height` rows, both positive.
    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        columns = min(width, Self.most.columns)
        rows = min(height, Self.most.rows)
        sums = [FrameStatistics.Cell](repeating: FrameStatistics.Cell(), count: columns * rows)
        counts = [Float](repeating: 0, count: columns * rows)
    }

    /// Adds the sample of a column and a row.
    mutating func add(_ column: Int, _ row: Int, luma: UInt8, cb: UInt8, cr: UInt8) {
        histogram.add(luma)
        let index = row * rows / height * columns + column * columns / width
        sums[index].luma += Float(luma)
        sums[index].cb += Float(cb)
        sums[index].cr += Float(cr)
        counts[index] += 1
    }

    /// The means of all cells.
    var cells: [FrameStatistics.Cell] {
        zip(sums, counts).map { sum, count in
            let count = max(1, count)
            return FrameStatistics.Cell(luma: sum.luma / count, cb: sum.cb / count, cr: sum.cr / count)
        }
    }

    /// Adds the sample of a column and a row by its R, G and B.
    mutating func add(_ column: Int, _ row: Int, red: UInt8, green: UInt8, blue: UInt8) {
        // BT.601 in 1/256, as JFIF has it.
        let (red, green, blue) = (Int(red), Int(green), Int(blue))
        add(
            column,
            row,
            luma: UInt8((77 * red + 150 * green + 29 * blue + 128) >> 8),
            cb: UInt8(min(255, max(0, (-43 * red - 85 * green + 128 * blue + 32_896) >> 8))),
            cr: UInt8(min(255, max(0, (128 * red - 107 * green - 21 * blue + 32_896) >> 8)))
        )
    }
}
