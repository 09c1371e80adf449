// SPDX-License-Identifier: Apache-2.0

/// When what a camera sees is motion; tintyped.yaml(5) says more of each key of `motion`.
package struct MotionSettings: Hashable, Sendable {
    /// By how much a cell must differ from the background, in steps of 255.
    package var threshold = 8
    /// The share of the watched cells that must differ, in percent.
    package var area = 0.5
    /// The parts of the picture that are left out.
    package var mask: [MotionMask] = []
    /// The time without motion after which it has ended.
    package var hold = Duration.seconds(10)

    /// The defaults.
    package init() {}

    /// What ``threshold`` can be.
    package static let thresholdRange = 1...255
    /// What ``area`` can be.
    package static let areaRange = 0.1...100
    /// What ``hold`` can be.
    package static let holdRange = Duration.seconds(1)...Duration.seconds(3600)
    /// The tag of pictures that are taken while there is motion.
    package static let tag = "motion"
}

/// A rectangle of the picture in which motion does not count, in percent of the picture's width and height.
package struct MotionMask: Hashable, Sendable {
    /// From the left edge, 0 to 100.
    package let columns: Range<Int>
    /// From the upper edge, 0 to 100.
    package let rows: Range<Int>

    /// Reads `WIDTHxHEIGHT+LEFT+TOP` in percent, as in `100x20+0+0` for the upper fifth; nil for any other text, and for a
    /// rectangle that is empty or not inside the picture.
    package init?(_ text: String) {
        guard let match = text.wholeMatch(of: /([0-9]{1,3})x([0-9]{1,3})\+([0-9]{1,3})\+([0-9]{1,3})/),
            let width = Int(match.1), let height = Int(match.2), let left = Int(match.3), let top = Int(match.4),
            width > 0, height > 0, left + width <= 100, top + height <= 100
        else { return nil }
        columns = left..<left + width
        rows = top..<top + height
    }

    /// Whether it covers any part of the cell in a column and a row of a grid.
    func covers(column: Int, of columns: Int, row: Int, of rows: Int) -> Bool {
        func overlaps(_ part: Range<Int>, _ index: Int, _ count: Int) -> Bool {
            part.lowerBound * count < (index + 1) * 100 && part.upperBound * count > index * 100
        }
        return overlaps(self.columns, column, columns) && overlaps(self.rows, row, rows)
    }
}
