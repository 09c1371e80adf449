// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import TintypeModel

/// One way to read and write `v4l2_format` for both the single-planar and the multi-planar API.
extension v4l2_format {
    func pixelFormat(_ isMultiPlanar: Bool) -> UInt32 {
        unsafe isMultiPlanar ? fmt.pix_mp.pixelformat : fmt.pix.pixelformat
    }

    func planeCount(_ isMultiPlanar: Bool) -> Int { unsafe isMultiPlanar ? Int(fmt.pix_mp.num_planes) : 1 }

    func size(_ isMultiPlanar: Bool) -> FrameSize {
        unsafe isMultiPlanar
            ? FrameSize(width: Int(fmt.pix_mp.width), height: Int(fmt.pix_mp.height))
            : FrameSize(width: Int(fmt.pix.width), height: Int(fmt.pix.height))
    }

    /// Whether the fields of interlaced pictures come one behind the other, in one buffer or in two, and not woven.
    func hasSeparateFields(_ isMultiPlanar: Bool) -> Bool {
        let field = unsafe isMultiPlanar ? fmt.pix_mp.field : fmt.pix.field
        let separate = [V4L2_FIELD_SEQ_TB, V4L2_FIELD_SEQ_BT, V4L2_FIELD_ALTERNATE]
        return separate.contains { $0.rawValue == field }
    }

    mutating func set(_ wish: CaptureFormat, _ isMultiPlanar: Bool, field: v4l2_field = V4L2_FIELD_ANY) {
        if isMultiPlanar {
            unsafe fmt.pix_mp.width = UInt32(wish.size.width)
            unsafe fmt.pix_mp.height = UInt32(wish.size.height)
            unsafe fmt.pix_mp.pixelformat = wish.pixelFormat.rawValue
            unsafe fmt.pix_mp.field = field.rawValue
        } else {
            unsafe fmt.pix.width = UInt32(wish.size.width)
            unsafe fmt.pix.height = UInt32(wish.size.height)
            unsafe fmt.pix.pixelformat = wish.pixelFormat.rawValue
            unsafe fmt.pix.field = field.rawValue
        }
    }

    func layout(_ isMultiPlanar: Bool) -> PictureLayout {
        unsafe PictureLayout(
            pixelFormat: FourCC(rawValue: pixelFormat(isMultiPlanar)),
            size: size(isMultiPlanar),
            bytesPerRow: isMultiPlanar
                ? Int(fmt.pix_mp.plane_fmt.0.bytesperline) : Int(fmt.pix.bytesperline),
            color: isMultiPlanar
                ? ColorEncoding(
                    colorspace: fmt.pix_mp.colorspace,
                    encoding: UInt32(fmt.pix_mp.ycbcr_enc),
                    quantization: UInt32(fmt.pix_mp.quantization)
                )
                : ColorEncoding(
                    colorspace: fmt.pix.colorspace,
                    encoding: fmt.pix.ycbcr_enc,
                    quantization: fmt.pix.quantization
                )
        )
    }
}

extension ColorEncoding {
    /// What the driver signals, with the defaults of linux/videodev2.h for what it leaves open
    /// (`V4L2_MAP_YCBCR_ENC_DEFAULT`, `V4L2_MAP_QUANTIZATION_DEFAULT`).
    init(colorspace: UInt32, encoding: UInt32, quantization: UInt32) {
        let encoding =
            encoding == V4L2_YCBCR_ENC_DEFAULT.rawValue ? cv4l2_default_ycbcr_enc(colorspace) : encoding
        let quantization =
            quantization == V4L2_QUANTIZATION_DEFAULT.rawValue
            ? cv4l2_default_quantization(0, colorspace, encoding) : quantization
        let matrix: Matrix =
            switch encoding {
            case V4L2_YCBCR_ENC_709.rawValue, V4L2_YCBCR_ENC_XV709.rawValue: .bt709
            case V4L2_YCBCR_ENC_SMPTE240M.rawValue: .smpte240m
            case V4L2_YCBCR_ENC_BT2020.rawValue, V4L2_YCBCR_ENC_BT2020_CONST_LUM.rawValue: .bt2020
            default: .bt601
            }
        self.init(
            matrix: matrix,
            range: quantization == V4L2_QUANTIZATION_FULL_RANGE.rawValue ? .full : .limited
        )
    }
}
