// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Mean of each 8x8 block of a baseline picture, from the DC coefficients alone: the picture at 1/8 size.
struct BlockMeans {
    /// In ``values``, row by row.
    struct Plane {
        let start: Int
        /// Blocks per row, padded to whole MCUs.
        let stride: Int
        let horizontal: Int
        let vertical: Int
    }

    /// Means of all components, 0 to 255; undefined for blocks not read.
    var values: [UInt8] = []
    private(set) var planes: [Plane] = []
    /// Luma blocks.
    private(set) var columns = 0
    private(set) var rows = 0
    private(set) var histogram = LumaHistogram()

    mutating func reset() {
        planes = []
        (columns, rows) = (0, 0)
        histogram = LumaHistogram()
    }

    mutating func allocate(for frame: JPEGHeader) {
        let units = frame.units
        var count = 0
        planes = frame.components.map { component in
            let stride = units.columns * component.horizontal
            defer { count += stride * units.rows * component.vertical }
            return Plane(start: count, stride: stride, horizontal: component.horizontal, vertical: component.vertical)
        }
        if values.count < count { values = [UInt8](repeating: 128, count: count) }
        (columns, rows) = frame.components.first.map(frame.blocks) ?? (0, 0)
    }

    mutating func addToHistogram(_ rows: Range<Int>) {
        guard let luma = planes.first else { return }
        for row in rows.clamped(to: 0..<self.rows) {
            let start = luma.start + row * luma.stride
            for value in values[start..<start + columns] { histogram.add(value) }
        }
    }

    /// True if the rows counted so far prove that the picture is neither black nor uniform.
    var showsSomething: Bool { histogram.showsSomething(inPictureOf: UInt64(columns * rows)) }

    /// Requires that the whole picture has been read.
    var emptiness: BlankCheck {
        showsSomething ? BlankCheck(isBlack: false, isUniform: false) : FrameStatistics(self).emptiness
    }

    /// At the position of a luma block.
    fileprivate func value(_ plane: Plane, column: Int, row: Int) -> UInt8 {
        let luma = planes[0]
        let row = row * plane.vertical / luma.vertical
        return values[plane.start + row * plane.stride + column * plane.horizontal / luma.horizontal]
    }
}

extension FrameStatistics {
    /// Requires that the picture was read completely.
    init(_ means: BlockMeans) {
        var sampler = FrameSampler(width: means.columns, height: means.rows)
        let planes = means.planes
        for row in 0..<means.rows {
            for column in 0..<means.columns {
                func mean(_ plane: Int) -> UInt8 { means.value(planes[plane], column: column, row: row) }
                let (cb, cr): (UInt8, UInt8) = planes.count == 3 ? (mean(1), mean(2)) : (128, 128)
                sampler.add(column, row, luma: mean(0), cb: cb, cr: cr)
            }
        }
        self.init(sampler)
    }
}
