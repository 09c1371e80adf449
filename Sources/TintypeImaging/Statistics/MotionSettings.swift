// SPDX-License-Identifier: Apache-2.0

/// Motion detection settings; see `motion` in tintyped.yaml(5).
package struct MotionSettings: Hashable, Sendable {
    /// Minimum luma difference of a cell from the background, of 255.
    package var threshold = 8
    /// Minimum percentage of watched cells that differ.
    package var area = 0.5
    package var mask: [MotionMask] = []
    /// Time without motion after which motion has ended.
    package var hold = Duration.seconds(10)

    package init() {}

    package static let thresholdRange = 1...255
    /// Range of ``area`` in percent.
    package static let areaRange = 0.1...100
    package static let holdRange = Duration.seconds(1)...Duration.seconds(3600)
    package static let tag = "motion"
}

/// A rectangle of the picture ignored for motion, in percent of the picture's width and height.
package struct MotionMask: Hashable, Sendable {
    /// From the left edge, 0 to 100.
    package let columns: Range<Int>
    /// From the top edge, 0 to 100.
    package let rows: Range<Int>

    /// Parses `WIDTHxHEIGHT+LEFT+TOP` in percent, as in `100x20+0+0` for the top fifth; nil for others, empty or too
    /// large ones.
    package init?(_ text: String) {
        guard let match = text.wholeMatch(of: /([0-9]{1,3})x([0-9]{1,3})\+([0-9]{1,3})\+([0-9]{1,3})/),
            let width = Int(match.1), let height = Int(match.2), let left = Int(match.3), let top = Int(match.4),
            width > 0, height > 0, left + width <= 100, top + height <= 100
        else { return nil }
        columns = left..<left + width
        rows = top..<top + height
    }

    func covers(column: Int, of columns: Int, row: Int, of rows: Int) -> Bool {
        func overlaps(_ part: Range<Int>, _ index: Int, _ count: Int) -> Bool {
            part.lowerBound * count < (index + 1) * 100 && part.upperBound * count > index * 100
        }
        return overlaps(self.columns, column, columns) && overlaps(self.rows, row, rows)
    }
}
