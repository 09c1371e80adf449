// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// The mean of each block of 8x8 samples of a baseline picture: an eighth of it, told by its DC numbers alone.
///
/// One is kept from picture to picture with its memory, a 40th of a byte a pixel.
struct BlockMeans {
    /// Where the blocks of one component are in ``values``, row by row.
    struct Plane {
        let start: Int
        /// From one row to the next: as many as whole MCUs have.
        let stride: Int
        let horizontal: Int
        let vertical: Int
    }

    /// The means of all components, 0 to 255; of a block that was not read any number.
    var values: [UInt8] = []
    private(set) var planes: [Plane] = []
    /// Blocks of luma beside each other.
    private(set) var columns = 0
    /// Blocks of luma below each other.
    private(set) var rows = 0
    /// The blocks of luma that were counted.
    private(set) var histogram = LumaHistogram()

    /// Begins a picture of which nothing is known yet.
    mutating func reset() {
        planes = []
        (columns, rows) = (0, 0)
        histogram = LumaHistogram()
    }

    mutating func begin(_ frame: JPEGHeader) {
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

    /// Counts rows of luma, which have been read.
    mutating func count(_ rows: Range<Int>) {
        guard let luma = planes.first else { return }
        for row in rows.clamped(to: 0..<self.rows) {
            let start = luma.start + row * luma.stride
            for value in values[start..<start + columns] { histogram.add(value) }
        }
    }

    /// Whether the rows that were counted tell that the picture is neither black nor uniform, even if the others show nothing.
    var showsSomething: Bool { histogram.showsSomething(inPictureOf: columns * rows) }

    /// Whether the picture shows anything; all of it has been read.
    var emptiness: Emptiness {
        showsSomething ? Emptiness(isBlack: false, isUniform: false) : FrameStatistics(self).emptiness
    }

    /// The mean of the block of a component that lies at a block of luma.
    fileprivate func value(_ plane: Plane, column: Int, row: Int) -> UInt8 {
        let luma = planes[0]
        let row = row * plane.vertical / luma.vertical
        return values[plane.start + row * plane.stride + column * plane.horizontal / luma.horizontal]
    }
}

extension FrameStatistics {
    /// The numbers of a picture, all of which has been read.
    init(_ means: BlockMeans) {
        var sampler = FrameSampler(width: means.columns, height: means.rows)
        let planes = means.planes
        for row in 0..<means.rows {
            for column in 0..<means.columns {
                sampler.add(
                    column,
                    row,
                    luma: means.value(planes[0], column: column, row: row),
                    cb: planes.count == 3 ? means.value(planes[1], column: column, row: row) : 128,
                    cr: planes.count == 3 ? means.value(planes[2], column: column, row: row) : 128
                )
            }
        }
        self.init(sampler)
    }
}
