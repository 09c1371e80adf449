// SPDX-License-Identifier: Apache-2.0

/// How the bytes of one captured buffer are to be read: everything that an encoder needs to know of it.
package struct PictureLayout: Hashable, Sendable {
    /// The pixel format.
    package var pixelFormat: FourCC
    /// The size of the picture.
    package var size: FrameSize
    /// Bytes from one row of the first plane to the next, padding included; 0 for JPEG.
    ///
    /// Planes that follow in the same buffer have it scaled by their horizontal subsampling, as the kernel
    /// documentation says of each format (`bytesperline` of `v4l2_pix_format`).
    package var bytesPerRow: Int
    /// How its numbers stand for colours: of RGB only the range counts, of JPEG nothing.
    package var color: ColorEncoding
    /// What the driver says of its colours; nil for JPEG, which says it itself, and where there is no driver.
    package var signal: ColorSignal?
    /// How the fields of interlaced video lie in the buffers; ``size`` is that of a whole picture in any case.
    package var fields = FieldOrder.whole
    /// What is to be made of interlaced video; ``deinterlaced`` is what can be.
    package var deinterlacing = Deinterlacing.double

    /// A layout of these parts, of whole pictures.
    package init(pixelFormat: FourCC, size: FrameSize, bytesPerRow: Int, color: ColorEncoding) {
        self.pixelFormat = pixelFormat
        self.size = size
        self.bytesPerRow = bytesPerRow
        self.color = color
    }

    /// Bytes that a whole picture of this layout has; nil for JPEG and other compressed formats, whose pictures differ in
    /// length, and for formats that we do not know.
    package var byteCount: Int? {
        let rows = storedRows
        let halfRows = (rows + 1) / 2
        return switch pixelFormat {
        case .yuyv, .uyvy, .yvyu, .vyuy, .grey, .rgb24, .bgr24: bytesPerRow * rows
        case .xrgb32, .xbgr32, .rgbx32, .bgrx32, .rgb32, .bgr32: bytesPerRow * rows
        case .nv16, .nv61: 2 * bytesPerRow * rows
        case .nv12, .nv21: bytesPerRow * (rows + halfRows)
        case .yu12, .yv12: bytesPerRow * rows + 2 * ((bytesPerRow + 1) / 2) * halfRows
        case .yuv422p: bytesPerRow * rows + 2 * ((bytesPerRow + 1) / 2) * rows
        default:
            switch pixelFormat.conversion?.storage {
            case .rows: bytesPerRow * rows
            case .frame(let bits): size.width * rows * bits / 8
            case .compressed, nil: nil
            }
        }
    }

    /// Bytes that one row of the first plane needs at least, without padding; nil as for ``byteCount``.
    package var minimumBytesPerRow: Int? {
        switch pixelFormat {
        case .yuyv, .uyvy, .yvyu, .vyuy: (size.width + 1) / 2 * 4
        case .nv12, .nv21, .nv16, .nv61: (size.width + 1) / 2 * 2
        case .yu12, .yv12, .yuv422p, .grey: size.width
        case .rgb24, .bgr24: size.width * 3
        case .xrgb32, .xbgr32, .rgbx32, .bgrx32, .rgb32, .bgr32: size.width * 4
        default:
            switch pixelFormat.conversion?.storage {
            case .rows(let bits): size.width * bits / 8
            case .frame: 0
            case .compressed, nil: nil
            }
        }
    }
}
