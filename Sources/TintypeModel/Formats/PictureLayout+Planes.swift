// SPDX-License-Identifier: Apache-2.0

/// Where a plane of a frame lies that has a buffer of its own.
package struct PlanePlace: Hashable, Sendable {
    /// Bytes from the start of the frame to the first row.
    package let start: Int
    /// Bytes from one row to the next.
    package let stride: Int

    /// A place of these numbers.
    package init(start: Int, stride: Int) {
        self.start = start
        self.stride = stride
    }
}

extension PictureLayout {
    /// Rows of samples of one kind, at the same distance from each other.
    package struct Plane: Hashable, Sendable {
        /// Bytes from the start of the frame to the first row.
        package let start: Int
        /// Bytes from one row to the next.
        package let stride: Int
        /// Bytes of a row that belong to the picture.
        package let used: Int
        /// How many rows there are.
        package let rows: Int
    }

    /// Luma, or all that there is; a plane of chroma, wherever it lies, and how many of these there are.
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

    /// The planes of an uncompressed picture; one of a single row where the format has no rows, and none of a format that
    /// is compressed or not known.
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

    /// Bytes from the start of a frame to the end of its last plane; nil for JPEG, whose pictures differ in length,
    /// and for formats that we do not know.
    ///
    /// Allocates nothing: it is asked for with each frame.
    package var byteCount: Int? {
        guard let (first, chroma, chromaPlanes) = shapes else { return nil }
        if places.count == chromaPlanes + 1, let last = places.last {
            return last.start + last.stride * (chromaPlanes == 0 ? first : chroma).rows
        }
        return first.stride * first.rows + chromaPlanes * chroma.stride * chroma.rows
    }
}
