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

    var pixelFormat: FourCC {
        unsafe FourCC(rawValue: isMultiPlanar ? raw.fmt.pix_mp.pixelformat : raw.fmt.pix.pixelformat)
    }

    /// Buffers per frame, at most 8 (`VIDEO_MAX_PLANES`).
    var planeCount: Int { unsafe isMultiPlanar ? min(8, Int(raw.fmt.pix_mp.num_planes)) : 1 }

    var size: FrameSize {
        unsafe isMultiPlanar
            ? FrameSize(width: Int(raw.fmt.pix_mp.width), height: Int(raw.fmt.pix_mp.height))
            : FrameSize(width: Int(raw.fmt.pix.width), height: Int(raw.fmt.pix.height))
    }

    /// With alternating fields ``size`` is that of one field.
    var frameSize: FrameSize {
        var size = size
        if fields == .alternating { size.height *= 2 }
        return size
    }

    /// `V4L2_FIELD_*`.
    var field: v4l2_field { unsafe v4l2_field(isMultiPlanar ? raw.fmt.pix_mp.field : raw.fmt.pix.field) }

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
        let hasChroma = pixelFormat.hasChroma
        return unsafe isMultiPlanar
            ? DriverColors(
                hasChroma: hasChroma,
                colorspace: raw.fmt.pix_mp.colorspace,
                transfer: UInt32(raw.fmt.pix_mp.xfer_func),
                encoding: UInt32(raw.fmt.pix_mp.ycbcr_enc),
                quantization: UInt32(raw.fmt.pix_mp.quantization)
            )
            : DriverColors(
                hasChroma: hasChroma,
                colorspace: raw.fmt.pix.colorspace,
                transfer: raw.fmt.pix.xfer_func,
                encoding: raw.fmt.pix.ycbcr_enc,
                quantization: raw.fmt.pix.quantization
            )
    }

    var layout: PictureLayout {
        let row = unsafe isMultiPlanar ? raw.fmt.pix_mp.plane_fmt.0.bytesperline : raw.fmt.pix.bytesperline
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
        guard isMultiPlanar else { return unsafe [Int(raw.fmt.pix.sizeimage)] }
        return (0..<planeCount).map { Int(plane($0).sizeimage) }
    }
}
