// SPDX-License-Identifier: Apache-2.0

package struct PictureLayout: Hashable, Sendable {
    package var pixelFormat: FourCC
    package var size: FrameSize
    /// Bytes from one row of the first plane to the next (`bytesperline`), with padding; 0 for JPEG; further planes in
    /// the same buffer scale it by their horizontal subsampling.
    package var bytesPerRow: Int
    /// Positions of planes in separate buffers; empty if all planes are contiguous in one buffer.
    package var places: [PlanePlace] = []
    /// RGB uses only the range; JPEG ignores it.
    package var color: ColorEncoding
    /// Reported by the driver; nil for JPEG, which carries its own, and for pictures without a driver.
    package var signal: ColorSignal?
    /// Field order of the buffers; ``size`` is always that of a full picture.
    package var fields = FieldOrder.whole
    /// Requested conversion of interlaced video; ``deinterlaced`` is the effective one.
    package var deinterlacing = Deinterlacing.double

    package init(pixelFormat: FourCC, size: FrameSize, bytesPerRow: Int, color: ColorEncoding) {
        (self.pixelFormat, self.size, self.bytesPerRow, self.color) = (pixelFormat, size, bytesPerRow, color)
    }

    /// Minimum bytes of a row of the first plane, without padding; nil as for ``byteCount``.
    package var minimumBytesPerRow: Int? {
        switch pixelFormat {
        case .yuyv, .uyvy, .yvyu, .vyuy: (size.width + 1) / 2 * 4
        case .nv12, .nv21, .nv16, .nv61: (size.width + 1) / 2 * 2
        case .yu12, .yv12, .yuv422p, .grey: size.width
        case .y10, .y12: size.width * 2
        case .rgb24, .bgr24: size.width * 3
        case .xrgb32, .xbgr32, .rgbx32, .bgrx32, .rgb32, .bgr32: size.width * 4
        default:
            switch pixelFormat.conversion?.storage {
            case .rows(let bits): size.width * bits / 8
            case .frame: 0
            case nil: nil
            }
        }
    }
}

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

/// Y'CbCr matrix and quantization range (kernel documentation, “Colorspaces”; `ycbcr_enc` and `quantization`).
package struct ColorEncoding: Hashable, Sendable, Codable {
    package enum Matrix: String, Hashable, Sendable, Codable, CaseIterable {
        /// ITU-R BT.601, required by JFIF.
        case bt601
        /// ITU-R BT.709, common for high definition.
        case bt709
        /// SMPTE 240M, used by early high definition.
        case smpte240m
        /// ITU-R BT.2020 with non-constant luminance.
        case bt2020
    }

    package enum Range: String, Hashable, Sendable, Codable, CaseIterable {
        /// 0 to 255 for luma and chroma, required by JFIF.
        case full
        /// 16 to 235 for luma and RGB; 16 to 240 for chroma.
        case limited
    }

    package var matrix: Matrix
    package var range: Range
    package init(matrix: Matrix, range: Range) { (self.matrix, self.range) = (matrix, range) }
    /// Encoding of a JPEG file (JFIF 1.02); pictures in it need no conversion.
    package static let jfif = ColorEncoding(matrix: .bt601, range: .full)
}

package enum ColorPart: String, Hashable, Sendable, Codable, CaseIterable, CodingKeyRepresentable, WireType {
    /// Chromaticities of red, green and blue (`colorspace` of `v4l2_pix_format`).
    case primaries
    /// Transfer function (`xfer_func`).
    case transfer
    /// Y'CbCr matrix (`ycbcr_enc`).
    case matrix
    /// Quantization range (`quantization`).
    case range
}

/// Colour encoding reported by a driver, with defaults for what it leaves open; only range and matrix are converted.
package struct ColorSignal: Hashable, Sendable {
    /// Name of each part, as in `bt709`; RGB has no matrix.
    package var parts: [ColorPart: String]
    /// Parts for which the driver reports a default or an unknown value.
    package var assumed: [ColorPart]

    package init(parts: [ColorPart: String], assumed: [ColorPart] = []) {
        (self.parts, self.assumed) = (parts, assumed)
    }
}

/// Order of the fields (even and odd rows, exposed half a frame apart) of interlaced video (`enum v4l2_field`).
package enum FieldOrder: Hashable, Sendable {
    /// All rows of one exposure (`V4L2_FIELD_NONE`), or a single field delivered as a picture no taller than a field
    /// (`V4L2_FIELD_TOP`, `V4L2_FIELD_BOTTOM`).
    case whole
    /// Both fields in one buffer, rows alternating (`V4L2_FIELD_INTERLACED`, `_TB`, `_BT`).
    case woven
    /// One field per buffer with half the rows, alternating between top and bottom (`V4L2_FIELD_ALTERNATE`).
    case alternating
}

/// Conversion of interlaced video, whose two fields are exposed at different times.
package enum Deinterlacing: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// Top field only, every row doubled: one exposure, half the vertical resolution.
    case double
    /// Each row mixed with its neighbours, 1 : 2 : 1: moving objects appear twice and faint.
    case blend
    /// Both fields unchanged: full resolution for still scenes, comb artefacts on motion.
    case weave
}

extension PictureLayout {
    /// Rows of the picture in one buffer: half of them if a buffer holds one field.
    package var storedRows: Int { fields == .alternating ? (size.height + 1) / 2 : size.height }

    package var stored: PictureLayout {
        var layout = self
        layout.fields = .whole
        layout.size.height = storedRows
        return layout
    }

    /// Deinterlaced picture with all planes in one buffer, unless the fields are left as stored (`weave`).
    package var whole: PictureLayout {
        var layout = self
        layout.fields = .whole
        if deinterlaced != nil, deinterlaced != .weave { layout.places = [] }
        return layout
    }

    /// True if the fields can be separated: not for JPEG and formats read by libv4lconvert.
    package var hasRows: Bool { !pixelFormat.isJPEG && !pixelFormat.isConverted }

    /// Conversion applied to interlaced video; nil for progressive pictures.
    package var deinterlaced: Deinterlacing? {
        switch fields {
        case .whole: nil
        case .woven where !hasRows: .weave
        // 16-bit samples cannot be blended byte by byte.
        case .woven: deinterlacing == .blend && pixelFormat.isDeepGrey ? .double : deinterlacing
        case .alternating: .double
        }
    }
}
