// SPDX-License-Identifier: Apache-2.0

package struct PlanePlace: Hashable, Sendable {
    /// Offset of the first row from the start of the frame, in bytes.
    package let start: Int
    /// Distance between rows in bytes.
    package let stride: Int

    package init(start: Int, stride: Int) { (self.start, self.stride) = (start, stride) }
}

extension PictureLayout {
    /// Rows of samples of one component at a constant distance.
    package struct Plane: Hashable, Sendable {
        package let start: Int
        package let stride: Int
        /// Bytes of a row without padding.
        package let used: Int
        package let rows: Int
    }

    /// First plane, shape of a chroma plane (its `start` is not valid), and number of chroma planes.
    private var shapes: (first: Plane, chroma: Plane, chromaPlanes: Int)? {
        if case .frame(let bits) = pixelFormat.conversion?.storage {
            let count = size.width * storedRows * bits / 8
            let all = Plane(start: 0, stride: count, used: count, rows: 1)
            return (all, all, 0)
        }
        guard let row = minimumBytesPerRow else { return nil }
        let first = Plane(start: 0, stride: bytesPerRow, used: row, rows: storedRows)
        let (halfStride, halfRow, halfRows) = ((bytesPerRow + 1) / 2, (row + 1) / 2, (storedRows + 1) / 2)
        return switch pixelFormat {
        case .nv12, .nv21: (first, Plane(start: 0, stride: bytesPerRow, used: row, rows: halfRows), 1)
        case .nv16, .nv61: (first, first, 1)
        case .yu12, .yv12: (first, Plane(start: 0, stride: halfStride, used: halfRow, rows: halfRows), 2)
        case .yuv422p: (first, Plane(start: 0, stride: halfStride, used: halfRow, rows: storedRows), 2)
        default: (first, first, 0)
        }
    }

    /// Planes of an uncompressed picture: one row for a format without rows; empty if compressed or unknown.
    package var planes: [Plane] {
        guard let (first, chroma, chromaPlanes) = shapes else { return [] }
        var start = 0
        return (0...chromaPlanes).map { number in
            let shape = number == 0 ? first : chroma
            let isApart = places.count == chromaPlanes + 1
            let place = isApart ? places[number] : PlanePlace(start: start, stride: shape.stride)
            start += shape.stride * shape.rows
            return Plane(start: place.start, stride: place.stride, used: shape.used, rows: shape.rows)
        }
    }

    /// Bytes to the end of the last plane, without allocation for each frame; nil for JPEG and unknown formats.
    package var byteCount: Int? {
        guard let (first, chroma, chromaPlanes) = shapes else { return nil }
        if places.count == chromaPlanes + 1, let last = places.last {
            return last.start + last.stride * (chromaPlanes == 0 ? first : chroma).rows
        }
        return first.stride * first.rows + chromaPlanes * chroma.stride * chroma.rows
    }
}
