// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import TintypeModel

// Every structure of the kernel that is in a record, read from the driver's answer.

extension Fraction {
    init(_ fraction: v4l2_fract) { self.init(fraction.numerator, fraction.denominator) }
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
}

extension RecordedRange {
    init(_ range: v4l2_frmsize_stepwise) {
        self.init(
            minimum: FrameSize(width: Int(range.min_width), height: Int(range.min_height)),
            maximum: FrameSize(width: Int(range.max_width), height: Int(range.max_height)),
            step: FrameSize(width: Int(range.step_width), height: Int(range.step_height))
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
}
