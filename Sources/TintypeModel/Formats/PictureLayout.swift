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
    /// Where each plane lies that the driver has a buffer of its own for; empty where they follow each other in one.
    package var places: [PlanePlace] = []
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

    /// Bytes that one row of the first plane needs at least, without padding; nil as for ``byteCount``.
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
