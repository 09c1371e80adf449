// SPDX-License-Identifier: Apache-2.0

extension PictureLayout {
    /// Rows of samples of one kind, at the same distance from each other.
    package struct Plane: Hashable, Sendable {
        /// Bytes from the start of the buffer to the first row.
        package let start: Int
        /// Bytes from one row to the next.
        package let stride: Int
        /// Bytes of a row that belong to the picture.
        package let used: Int
        /// How many rows there are.
        package let rows: Int
    }

    /// The planes of an uncompressed picture as a buffer has them; one without rows for formats that have none.
    package var planes: [Plane] {
        let row = minimumBytesPerRow ?? 0
        guard row > 0 else { return [Plane(start: 0, stride: 0, used: byteCount ?? 0, rows: 1)] }
        let halfRows = (storedRows + 1) / 2
        let luma = (stride: bytesPerRow, used: row, rows: storedRows)
        let half = (stride: (bytesPerRow + 1) / 2, used: (row + 1) / 2)
        let shapes: [(stride: Int, used: Int, rows: Int)] =
            switch pixelFormat {
            case .nv12, .nv21: [luma, (bytesPerRow, row, halfRows)]
            case .nv16, .nv61: [luma, luma]
            case .yu12, .yv12: [luma, (half.stride, half.used, halfRows), (half.stride, half.used, halfRows)]
            case .yuv422p: [luma, (half.stride, half.used, storedRows), (half.stride, half.used, storedRows)]
            default: [luma]
            }
        var start = 0
        return shapes.map { shape in
            defer { start += shape.stride * shape.rows }
            return Plane(start: start, stride: shape.stride, used: shape.used, rows: shape.rows)
        }
    }
}
