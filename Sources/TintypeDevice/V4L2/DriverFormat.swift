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
    var pixelFormat: FourCC { FourCC(rawValue: isMultiPlanar ? multi.pixelformat : single.pixelformat) }

    /// Buffers per frame, at most 8 (`VIDEO_MAX_PLANES`).
    var planeCount: Int { isMultiPlanar ? min(8, Int(multi.num_planes)) : 1 }

    var size: FrameSize {
        let (width, height) = isMultiPlanar ? (multi.width, multi.height) : (single.width, single.height)
        return FrameSize(width: Int(width), height: Int(height))
    }

    /// With alternating fields ``size`` is that of one field.
    var frameSize: FrameSize {
        var size = size
        if fields == .alternating { size.height *= 2 }
        return size
    }

    var field: v4l2_field { v4l2_field(isMultiPlanar ? multi.field : single.field) }

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
        if isMultiPlanar {
            unsafe raw.fmt.pix_mp.width = UInt32(wish.size.width)
            unsafe raw.fmt.pix_mp.height = UInt32(wish.size.height)
            unsafe raw.fmt.pix_mp.pixelformat = wish.pixelFormat.rawValue
            unsafe raw.fmt.pix_mp.field = field.rawValue
        } else {
            unsafe raw.fmt.pix.width = UInt32(wish.size.width)
            unsafe raw.fmt.pix.height = UInt32(wish.size.height)
            unsafe raw.fmt.pix.pixelformat = wish.pixelFormat.rawValue
            unsafe raw.fmt.pix.field = field.rawValue
        }
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
