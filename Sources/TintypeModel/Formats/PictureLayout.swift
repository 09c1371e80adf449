// SPDX-License-Identifier: Apache-2.0

/// Memory layout and colour encoding of a captured buffer, as needed by an encoder.
package struct PictureLayout: Hashable, Sendable {
    package var pixelFormat: FourCC
    package var size: FrameSize
    /// Bytes from one row of the first plane to the next, including padding; 0 for JPEG.
    ///
    /// Further planes in the same buffer scale it by their horizontal subsampling, as the kernel documentation defines
    /// for each format (`bytesperline` of `v4l2_pix_format`).
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
