// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// What a frame shows, in a few numbers: enough to tell whether brightness and colour are those of the frame before it,
/// and whether it shows anything.
///
/// All numbers are those of a full-range YCbCr picture (BT.601, 0 to 255, chroma about 128), also where the camera's own
/// range is another. They come from a sample of the pixels, some fourteen thousand of a large picture.
package struct FrameStatistics: Sendable {
    /// The mean luma.
    package let meanLuma: Double
    /// The mean of Cb.
    package let meanCb: Double
    /// The mean of Cr.
    package let meanCr: Double
    /// The luma that one pixel in a hundred lies below.
    package let darkest: Int
    /// The luma that one pixel in a hundred lies above.
    package let brightest: Int
    /// The larger of the spans of Cb and Cr over the cells.
    package let chromaSpan: Double
    /// The means of each cell of a grid over the picture.
    let cells: [Cell]
    /// Cells a row.
    package let columns: Int

    /// The means of one part of the picture.
    struct Cell: Hashable {
        var luma: Float = 0
        var cb: Float = 0
        var cr: Float = 0
    }

    init(_ sampler: FrameSampler) {
        let histogram = sampler.histogram
        meanLuma = histogram.mean ?? 0
        darkest = histogram.darkest ?? 0
        brightest = histogram.brightest ?? 0
        cells = sampler.cells
        columns = sampler.columns
        let count = Double(max(1, cells.count))
        meanCb = cells.reduce(0.0) { $0 + Double($1.cb) } / count
        meanCr = cells.reduce(0.0) { $0 + Double($1.cr) } / count
        let spans = [cells.map(\.cb), cells.map(\.cr)].map { ($0.max() ?? 0) - ($0.min() ?? 0) }
        chromaSpan = Double(spans.max() ?? 0)
    }

    /// The number of cells.
    package var cellCount: Int { cells.count }

    /// The mean luma of a cell, row by row from 0 at the top left.
    package func luma(ofCell index: Int) -> Float { cells[index].luma }

    /// Whether all of it is as dark as a covered lens makes it.
    package var isBlack: Bool { brightest < Appearance.darkLuma }

    /// Whether all of it has one brightness and one colour.
    package var isUniform: Bool {
        brightest - darkest < Appearance.evenSpan && chromaSpan < Double(Appearance.evenSpan)
    }

    /// By how much the whole picture differs from another one in brightness or in colour, whichever differs more, in
    /// steps of 255; nil for pictures of different sizes.
    ///
    /// Exposure and white balance move all cells of the picture one way; what moves before the lens changes some of
    /// them, up and down. So the differences of the cells are averaged, and none counts for more than ``largestShift``.
    package func shift(from other: FrameStatistics) -> Double? {
        guard columns == other.columns, cells.count == other.cells.count, !cells.isEmpty else { return nil }
        var (luma, cb, cr) = (Float(0), Float(0), Float(0))
        for index in cells.indices {
            let (new, old) = (cells[index], other.cells[index])
            luma += Self.limited(new.luma - old.luma)
            cb += Self.limited(new.cb - old.cb)
            cr += Self.limited(new.cr - old.cr)
        }
        return Double(max(abs(luma), abs(cb), abs(cr)) / Float(cells.count))
    }

    /// What a cell counts for at most, in steps of 255.
    package static let largestShift = 4.0

    private static func limited(_ difference: Float) -> Float {
        min(max(difference, -Float(largestShift)), Float(largestShift))
    }
}

/// Whether a picture shows anything.
package struct Emptiness: Hashable, Sendable {
    /// Whether all of it is as dark as a covered lens makes it.
    package var isBlack: Bool
    /// Whether all of it has one brightness and one colour.
    package var isUniform: Bool
}

extension FrameStatistics {
    /// Whether the frame shows anything.
    package var emptiness: Emptiness { Emptiness(isBlack: isBlack, isUniform: isUniform) }
}

/// Takes the samples of one picture, in any order, and sums them up.
struct FrameSampler {
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

    mutating func add(_ column: Int, _ row: Int, luma: UInt8, cb: UInt8, cr: UInt8) {
        histogram.add(luma)
        let index = row * rows / height * columns + column * columns / width
        sums[index].luma += Float(luma)
        sums[index].cb += Float(cb)
        sums[index].cr += Float(cr)
        counts[index] += 1
    }

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
