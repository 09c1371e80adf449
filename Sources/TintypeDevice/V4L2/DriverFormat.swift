// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import TintypeModel

@safe struct DriverFormat {
    var raw = unsafe v4l2_format()
    private let isMultiPlanar: Bool

    init(_ type: v4l2_buf_type) {
        isMultiPlanar = type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE
        unsafe raw.type = type.rawValue
    }

    private var single: v4l2_pix_format { unsafe raw.fmt.pix }
    private var multi: v4l2_pix_format_mplane { unsafe raw.fmt.pix_mp }
    // Both structures begin with width, height, pixelformat and field.
    var pixelFormat: FourCC { FourCC(rawValue: single.pixelformat) }

    /// Buffers per frame, at most 8 (`VIDEO_MAX_PLANES`).
    var planeCount: Int { isMultiPlanar ? min(8, Int(multi.num_planes)) : 1 }

    var size: FrameSize { FrameSize(width: Int(single.width), height: Int(single.height)) }

    /// With alternating fields ``size`` is that of one field.
    var frameSize: FrameSize {
        var size = size
        if fields == .alternating { size.height *= 2 }
        return size
    }

    var field: v4l2_field { v4l2_field(single.field) }

    /// Nil for sequential fields in one buffer, which are not supported.
    var fields: FieldOrder? {
        switch field {
        case V4L2_FIELD_ALTERNATE: .alternating
        case V4L2_FIELD_INTERLACED, V4L2_FIELD_INTERLACED_TB, V4L2_FIELD_INTERLACED_BT: .woven
        case V4L2_FIELD_SEQ_TB, V4L2_FIELD_SEQ_BT: nil
        default: .whole
        }
    }

    mutating func set(_ wish: CaptureFormat, field: v4l2_field = V4L2_FIELD_ANY) {
        unsafe raw.fmt.pix.width = UInt32(wish.size.width)
        unsafe raw.fmt.pix.height = UInt32(wish.size.height)
        unsafe raw.fmt.pix.pixelformat = wish.pixelFormat.rawValue
        unsafe raw.fmt.pix.field = field.rawValue
    }

    private var colors: DriverColors {
        DriverColors(
            hasChroma: pixelFormat.hasChroma,
            colorspace: isMultiPlanar ? multi.colorspace : single.colorspace,
            transfer: isMultiPlanar ? UInt32(multi.xfer_func) : single.xfer_func,
            encoding: isMultiPlanar ? UInt32(multi.ycbcr_enc) : single.ycbcr_enc,
            quantization: isMultiPlanar ? UInt32(multi.quantization) : single.quantization
        )
    }

    var layout: PictureLayout {
        let row = isMultiPlanar ? multi.plane_fmt.0.bytesperline : single.bytesperline
        let (format, color) = (pixelFormat.inOneBuffer, ColorEncoding(colors))
        var layout = PictureLayout(pixelFormat: format, size: frameSize, bytesPerRow: Int(row), color: color)
        if !layout.pixelFormat.isJPEG { layout.signal = ColorSignal(colors) }
        layout.fields = fields ?? .whole
        layout.places = places
        return layout
    }

    /// Planes with separate buffers are mapped one after the other; empty if a frame has one buffer.
    private var places: [PlanePlace] {
        guard planeCount > 1 else { return [] }
        var start = 0
        return (0..<planeCount).map { index in
            let plane = plane(index)
            defer { start += V4L2Device.wholePages(Int(plane.sizeimage)) }
            return PlanePlace(start: start, stride: Int(plane.bytesperline))
        }
    }

    private func plane(_ index: Int) -> v4l2_plane_pix_format {
        unsafe withUnsafeBytes(of: raw.fmt.pix_mp.plane_fmt) { bytes in
            unsafe bytes.bindMemory(to: v4l2_plane_pix_format.self)[index]
        }
    }

    /// `sizeimage`.
    var bufferSizes: [Int] {
        guard isMultiPlanar else { return [Int(single.sizeimage)] }
        return (0..<planeCount).map { Int(plane($0).sizeimage) }
    }
}

/// Colorimetry members of `v4l2_pix_format` as filled in by a driver.
struct DriverColors {
    /// True for Y'CbCr, false for RGB and greyscale.
    let hasChroma: Bool
    let colorspace: UInt32
    let transfer: UInt32
    let encoding: UInt32
    let quantization: UInt32

    /// sRGB if the driver reports none (`V4L2_MAP_COLORSPACE_DEFAULT`), that of webcams.
    var knownColorspace: UInt32 {
        colorspace == V4L2_COLORSPACE_DEFAULT.rawValue ? V4L2_COLORSPACE_SRGB.rawValue : colorspace
    }

    var knownTransfer: UInt32 {
        transfer == V4L2_XFER_FUNC_DEFAULT.rawValue ? cv4l2_default_xfer_func(knownColorspace) : transfer
    }

    var knownEncoding: UInt32 {
        encoding == V4L2_YCBCR_ENC_DEFAULT.rawValue ? cv4l2_default_ycbcr_enc(knownColorspace) : encoding
    }

    /// `V4L2_MAP_QUANTIZATION_DEFAULT`, but full range for greyscale, as infrared cameras and vivid deliver it.
    var knownQuantization: UInt32 {
        quantization == V4L2_QUANTIZATION_DEFAULT.rawValue
            ? cv4l2_default_quantization(hasChroma ? 0 : 1, knownColorspace, knownEncoding) : quantization
    }
}

extension ColorEncoding {
    /// Maps the driver's values, with the defaults of linux/videodev2.h.
    init(_ driver: DriverColors) {
        let isFull = driver.knownQuantization == V4L2_QUANTIZATION_FULL_RANGE.rawValue
        self.init(matrix: Self.matrix(of: driver.knownEncoding) ?? .bt601, range: isFull ? .full : .limited)
    }

    /// Maps `V4L2_YCBCR_ENC_*`; nil if not supported.
    fileprivate static func matrix(of encoding: UInt32) -> Matrix? {
        switch encoding {
        case V4L2_YCBCR_ENC_601.rawValue, V4L2_YCBCR_ENC_XV601.rawValue: .bt601
        case V4L2_YCBCR_ENC_709.rawValue, V4L2_YCBCR_ENC_XV709.rawValue: .bt709
        case V4L2_YCBCR_ENC_SMPTE240M.rawValue: .smpte240m
        // Nearest match for constant luminance.
        case V4L2_YCBCR_ENC_BT2020.rawValue, V4L2_YCBCR_ENC_BT2020_CONST_LUM.rawValue: .bt2020
        default: nil
        }
    }
}

extension ColorSignal {
    private static let primaries: [UInt32: String] = [
        V4L2_COLORSPACE_SMPTE170M.rawValue: "smpte170m", V4L2_COLORSPACE_SMPTE240M.rawValue: "smpte240m",
        V4L2_COLORSPACE_REC709.rawValue: "bt709", V4L2_COLORSPACE_470_SYSTEM_M.rawValue: "bt470m",
        V4L2_COLORSPACE_470_SYSTEM_BG.rawValue: "bt470bg", V4L2_COLORSPACE_JPEG.rawValue: "srgb",
        V4L2_COLORSPACE_SRGB.rawValue: "srgb", V4L2_COLORSPACE_OPRGB.rawValue: "adobergb",
        V4L2_COLORSPACE_BT2020.rawValue: "bt2020", V4L2_COLORSPACE_DCI_P3.rawValue: "dcip3",
        V4L2_COLORSPACE_RAW.rawValue: "raw",
    ]
    private static let transfers: [UInt32: String] = [
        V4L2_XFER_FUNC_709.rawValue: "bt709", V4L2_XFER_FUNC_SRGB.rawValue: "srgb",
        V4L2_XFER_FUNC_OPRGB.rawValue: "adobergb", V4L2_XFER_FUNC_SMPTE240M.rawValue: "smpte240m",
        V4L2_XFER_FUNC_NONE.rawValue: "linear", V4L2_XFER_FUNC_DCI_P3.rawValue: "dcip3",
        V4L2_XFER_FUNC_SMPTE2084.rawValue: "smpte2084",
    ]

    init(_ driver: DriverColors) {
        let encoding = ColorEncoding(driver)
        let isConstant = driver.knownEncoding == V4L2_YCBCR_ENC_BT2020_CONST_LUM.rawValue
        let matrix = ColorEncoding.matrix(of: driver.knownEncoding)
        self.init(
            parts: [
                .primaries: Self.primaries[driver.knownColorspace] ?? "srgb",
                .transfer: Self.transfers[driver.knownTransfer] ?? "srgb",
                .range: encoding.range.rawValue,
            ]
        )
        if driver.hasChroma { parts[.matrix] = encoding.matrix.rawValue }
        let open: [ColorPart: Bool] = [
            .primaries: Self.primaries[driver.colorspace] == nil,
            .transfer: Self.transfers[driver.transfer] == nil,
            .matrix: driver.hasChroma
                && (driver.encoding == V4L2_YCBCR_ENC_DEFAULT.rawValue || matrix == nil || isConstant),
            .range: driver.quantization == V4L2_QUANTIZATION_DEFAULT.rawValue,
        ]
        assumed = ColorPart.allCases.filter { open[$0] == true }
    }
}
