// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG
package import TintypeModel

/// Statistics of a frame, to detect changes of exposure and white balance, and blank pictures.
///
/// Full-range YCbCr (BT.601, 0 to 255, chroma centred on 128), from some 14,000 pixels of a large picture.
package struct FrameStatistics: Sendable {
    package let meanLuma: Double
    package let meanCb: Double
    package let meanCr: Double
    /// First percentile of luma.
    package let darkest: Int
    /// 99th percentile of luma.
    package let brightest: Int
    /// Larger of the ranges of Cb and Cr over the cells.
    package let chromaSpan: Double
    /// Means of each cell of a grid over the picture, row by row from the top left.
    let cells: [Cell]
    /// Cells per row.
    package let columns: Int

    struct Cell: Hashable {
        var luma: Float = 0
        var cb: Float = 0
        var cr: Float = 0
    }

    init(_ sampler: FrameSampler) {
        let histogram = sampler.histogram
        meanLuma = histogram.mean
        (darkest, brightest) = histogram.extremes(inPictureOf: histogram.total) ?? (0, 0)
        cells = sampler.cells
        columns = sampler.columns
        let count = Double(max(1, cells.count))
        meanCb = cells.reduce(0.0) { $0 + Double($1.cb) } / count
        meanCr = cells.reduce(0.0) { $0 + Double($1.cr) } / count
        let spans = [cells.map(\.cb), cells.map(\.cr)].map { ($0.max() ?? 0) - ($0.min() ?? 0) }
        chromaSpan = Double(spans.max() ?? 0)
    }

    package var emptiness: BlankCheck {
        let isUniform = brightest - darkest < ImageDefect.evenSpan && chromaSpan < Double(ImageDefect.evenSpan)
        return BlankCheck(isBlack: brightest < ImageDefect.darkLuma, isUniform: isUniform)
    }

    /// Mean difference of all cells, in luma or chroma, the larger, in units of 1/255; nil if the sizes differ.
    ///
    /// Exposure and white balance change all cells in one direction; a moving object changes some cells in both. Each
    /// cell therefore counts for at most ``largestShift``.
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

    /// In units of 1/255.
    package static let largestShift = 4.0

    private static func limited(_ difference: Float) -> Float {
        min(max(difference, -Float(largestShift)), Float(largestShift))
    }
}

package struct BlankCheck: Hashable, Sendable {
    /// As dark as with a covered lens.
    package var isBlack: Bool
    /// One brightness and one colour.
    package var isUniform: Bool
}

/// Accumulates samples of one picture, in any order.
struct FrameSampler {
    private(set) var histogram = LumaHistogram()
    let columns: Int
    private let rows: Int
    private let width: Int
    private let height: Int
    private var sums: [FrameStatistics.Cell]
    private var counts: [Float]

    private static let most = (columns: 16, rows: 12)

    /// `width` by `height` samples, both positive.
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

    mutating func add(_ column: Int, _ row: Int, red: UInt8, green: UInt8, blue: UInt8) {
        // BT.601 in units of 1/256, as in JFIF.
        let (red, green, blue) = (Int(red), Int(green), Int(blue))
        let luma = UInt8((77 * red + 150 * green + 29 * blue + 128) >> 8)
        let cb = UInt8(clamping: (-43 * red - 85 * green + 128 * blue + 32_896) >> 8)
        let cr = UInt8(clamping: (128 * red - 107 * green - 21 * blue + 32_896) >> 8)
        add(column, row, luma: luma, cb: cb, cr: cr)
    }
}

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

extension FrameStatistics {
    /// Samples pixels without conversion or copy.
    ///
    /// Throws ``ImagingError/unsupported(_:)`` for a format that ``JPEGEncoder`` does not accept, and
    /// ``ImagingError/short(have:need:)``.
    package init(_ bytes: RawSpan, layout: PictureLayout) throws(ImagingError) {
        guard let arrangement = PixelArrangement(layout.pixelFormat), let need = layout.byteCount else {
            throw .unsupported(layout.pixelFormat)
        }
        guard bytes.byteCount >= need, layout.planes.allSatisfy({ $0.used <= $0.stride }) else {
            throw .short(have: bytes.byteCount, need: need)
        }
        self = unsafe bytes.withUnsafeBytes { bytes in unsafe arrangement.statistics(of: bytes, layout) }
    }
}

extension PixelArrangement {
    private static let samplesPerRow = 160

    fileprivate func statistics(of bytes: UnsafeRawBufferPointer, _ layout: PictureLayout) -> FrameStatistics {
        let (planes, width, height) = (layout.planes, layout.size.width, layout.size.height)
        let isLimited = layout.color.range == .limited
        func full(_ value: UInt8, _ stretch: RangeStretch) -> UInt8 {
            isLimited ? RowKernels.stretched(value, by: stretch) : value
        }
        // Even, so that each sample has its own chroma.
        let step = max(2, (width / Self.samplesPerRow + 1) & ~1)
        var sampler = FrameSampler(width: (width + step - 1) / step, height: (height + step - 1) / step)
        for (row, y) in stride(from: 0, to: height, by: step).enumerated() {
            for (column, x) in stride(from: 0, to: width, by: step).enumerated() {
                if case .rgb(let order) = self {
                    let (red, green, blue) = unsafe Self.color(bytes, y * layout.bytesPerRow, x, order)
                    sampler.add(column, row, red: full(red, .luma), green: full(green, .luma), blue: full(blue, .luma))
                } else {
                    let (luma, cb, cr) = unsafe sample(bytes, planes, x, y)
                    sampler.add(column, row, luma: full(luma, .luma), cb: full(cb, .chroma), cr: full(cr, .chroma))
                }
            }
        }
        return FrameStatistics(sampler)
    }

    /// Column `x` must be even.
    private func sample(
        _ bytes: UnsafeRawBufferPointer,
        _ planes: [PictureLayout.Plane],
        _ x: Int,
        _ y: Int
    ) -> (luma: UInt8, cb: UInt8, cr: UInt8) {
        let line = y * planes[0].stride
        switch self {
        case .packed(let lumaFirst, let crFirst):
            let (lumaAt, chromaAt) = (line + 2 * x + (lumaFirst ? 0 : 1), line + 2 * x + (lumaFirst ? 1 : 0))
            return unsafe (bytes[lumaAt], bytes[chromaAt + (crFirst ? 2 : 0)], bytes[chromaAt + (crFirst ? 0 : 2)])
        case .semiPlanar(let lumaRows, let crFirst):
            let chromaAt = planes[1].start + y / lumaRows * planes[1].stride + x
            return unsafe (bytes[line + x], bytes[chromaAt + (crFirst ? 1 : 0)], bytes[chromaAt + (crFirst ? 0 : 1)])
        case .planar(let lumaRows, let crFirst):
            let first = planes[1].start + y / lumaRows * planes[1].stride + x / 2
            let second = planes[2].start + y / lumaRows * planes[2].stride + x / 2
            return unsafe (bytes[line + x], bytes[crFirst ? second : first], bytes[crFirst ? first : second])
        case .grey(let bits) where bits > 8:
            let word = unsafe Int(bytes[line + 2 * x]) | Int(bytes[line + 2 * x + 1]) << 8
            return (UInt8(clamping: word >> (bits - 8)), 128, 128)
        case .grey, .rgb: return unsafe (bytes[line + x], 128, 128)
        }
    }

    private static func color(
        _ bytes: UnsafeRawBufferPointer,
        _ line: Int,
        _ x: Int,
        _ order: TJPF
    ) -> (red: UInt8, green: UInt8, blue: UInt8) {
        let (pixelBytes, red, blue) =
            switch order {
            case TJPF_RGB: (3, 0, 2)
            case TJPF_BGR: (3, 2, 0)
            case TJPF_RGBX: (4, 0, 2)
            case TJPF_XRGB: (4, 1, 3)
            case TJPF_XBGR: (4, 3, 1)
            // TJPF_BGRX, the only remaining order of ``PixelArrangement``.
            default: (4, 2, 0)
            }
        let pixel = line + pixelBytes * x
        // Green is between red and blue.
        return unsafe (bytes[pixel + red], bytes[pixel + (red + blue) / 2], bytes[pixel + blue])
    }
}
