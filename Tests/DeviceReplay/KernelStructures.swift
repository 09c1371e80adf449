// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import TintypeModel

@testable internal import TintypeDevice

// Every structure of the kernel that is in a record, made again from it.

extension Fraction {
    var kernel: v4l2_fract { v4l2_fract(numerator: numerator, denominator: denominator) }
}

extension RecordedPicture {
    /// Writes it as the driver would; what is not known is that of a picture without padding in sRGB.
    func write(to format: inout v4l2_format, _ isMultiPlanar: Bool) {
        let layout = PictureLayout(
            pixelFormat: pixelFormat,
            size: size,
            bytesPerRow: 0,
            color: ColorEncoding(matrix: .bt601, range: .limited)
        )
        var whole = layout
        whole.bytesPerRow = layout.minimumBytesPerRow ?? 0
        let rows = bytesPerLine ?? [UInt32(clamping: whole.bytesPerRow)]
        let sizes = sizeImage ?? [UInt32(clamping: whole.byteCount ?? size.area * 2)]
        let space = colorspace ?? V4L2_COLORSPACE_SRGB.rawValue
        let order = field ?? V4L2_FIELD_NONE.rawValue
        unsafe format.set(
            CaptureFormat(pixelFormat: pixelFormat, size: size, interval: nil),
            isMultiPlanar,
            field: v4l2_field(order)
        )
        guard isMultiPlanar else {
            unsafe format.fmt.pix.bytesperline = rows.first ?? 0
            unsafe format.fmt.pix.sizeimage = sizes.first ?? 0
            unsafe format.fmt.pix.colorspace = space
            unsafe format.fmt.pix.ycbcr_enc = encoding ?? 0
            unsafe format.fmt.pix.quantization = quantization ?? 0
            unsafe format.fmt.pix.xfer_func = transfer ?? 0
            return
        }
        unsafe format.fmt.pix_mp.num_planes = UInt8(clamping: sizes.count)
        unsafe withUnsafeMutableBytes(of: &format.fmt.pix_mp.plane_fmt) { bytes in
            let planes = unsafe bytes.bindMemory(to: v4l2_plane_pix_format.self)
            for index in 0..<min(planes.count, sizes.count) {
                unsafe planes[index].sizeimage = sizes[index]
                unsafe planes[index].bytesperline = rows.indices.contains(index) ? rows[index] : 0
            }
        }
        unsafe format.fmt.pix_mp.colorspace = space
        unsafe format.fmt.pix_mp.ycbcr_enc = UInt8(truncatingIfNeeded: encoding ?? 0)
        unsafe format.fmt.pix_mp.quantization = UInt8(truncatingIfNeeded: quantization ?? 0)
        unsafe format.fmt.pix_mp.xfer_func = UInt8(truncatingIfNeeded: transfer ?? 0)
    }
}

extension RecordedRange {
    var kernel: v4l2_frmsize_stepwise {
        v4l2_frmsize_stepwise(
            min_width: UInt32(clamping: minimum.width),
            max_width: UInt32(clamping: maximum.width),
            step_width: UInt32(clamping: step.width),
            min_height: UInt32(clamping: minimum.height),
            max_height: UInt32(clamping: maximum.height),
            step_height: UInt32(clamping: step.height)
        )
    }
}

extension RecordedRectangle {
    var kernel: v4l2_rect {
        v4l2_rect(
            left: Int32(clamping: left),
            top: Int32(clamping: top),
            width: UInt32(clamping: size.width),
            height: UInt32(clamping: size.height)
        )
    }
}
