// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import TintypeModel

// Every structure of the kernel that is in a record: read from the driver's answer, and made again from the record.

extension Fraction {
    init(_ fraction: v4l2_fract) { self.init(fraction.numerator, fraction.denominator) }
    var kernel: v4l2_fract { v4l2_fract(numerator: numerator, denominator: denominator) }
}

extension RecordedPicture {
    init(_ format: v4l2_format, _ isMultiPlanar: Bool) {
        unsafe self.init(
            pixelFormat: FourCC(rawValue: format.pixelFormat(isMultiPlanar)),
            size: format.size(isMultiPlanar)
        )
        guard isMultiPlanar else {
            let single = unsafe format.fmt.pix
            field = single.field
            bytesPerLine = [single.bytesperline]
            sizeImage = [single.sizeimage]
            colorspace = single.colorspace
            encoding = single.ycbcr_enc
            quantization = single.quantization
            transfer = single.xfer_func
            return
        }
        let several = unsafe format.fmt.pix_mp
        var planes = several.plane_fmt
        let used = unsafe withUnsafeBytes(of: &planes) { bytes in
            unsafe Array(bytes.bindMemory(to: v4l2_plane_pix_format.self).prefix(Int(several.num_planes)))
        }
        field = several.field
        bytesPerLine = used.map(\.bytesperline)
        sizeImage = used.map(\.sizeimage)
        colorspace = several.colorspace
        encoding = UInt32(several.ycbcr_enc)
        quantization = UInt32(several.quantization)
        transfer = UInt32(several.xfer_func)
    }

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
    init(_ range: v4l2_frmsize_stepwise) {
        self.init(
            minimum: FrameSize(width: Int(range.min_width), height: Int(range.min_height)),
            maximum: FrameSize(width: Int(range.max_width), height: Int(range.max_height)),
            step: FrameSize(width: Int(range.step_width), height: Int(range.step_height))
        )
    }

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

extension RecordedRate {
    init(_ parameters: v4l2_captureparm) {
        self.init(
            capability: HexNumber(parameters.capability),
            interval: Fraction(parameters.timeperframe)
        )
    }
}

extension RecordedRectangle {
    init(_ selection: v4l2_selection) {
        self.init(
            target: HexNumber(selection.target),
            left: Int(selection.r.left),
            top: Int(selection.r.top),
            size: FrameSize(width: Int(selection.r.width), height: Int(selection.r.height))
        )
    }

    var kernel: v4l2_rect {
        v4l2_rect(
            left: Int32(clamping: left),
            top: Int32(clamping: top),
            width: UInt32(clamping: size.width),
            height: UInt32(clamping: size.height)
        )
    }
}
