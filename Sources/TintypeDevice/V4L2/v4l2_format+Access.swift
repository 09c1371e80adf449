// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import TintypeModel

/// Accessors common to the single-planar and the multi-planar API.
extension v4l2_format {
    func pixelFormat(_ isMultiPlanar: Bool) -> UInt32 {
        unsafe isMultiPlanar ? fmt.pix_mp.pixelformat : fmt.pix.pixelformat
    }

    /// Number of buffers per frame, at most 8 (`VIDEO_MAX_PLANES`).
    func planeCount(_ isMultiPlanar: Bool) -> Int { unsafe isMultiPlanar ? min(8, Int(fmt.pix_mp.num_planes)) : 1 }

    func size(_ isMultiPlanar: Bool) -> FrameSize {
        unsafe isMultiPlanar
            ? FrameSize(width: Int(fmt.pix_mp.width), height: Int(fmt.pix_mp.height))
            : FrameSize(width: Int(fmt.pix.width), height: Int(fmt.pix.height))
    }

    /// Size of a whole picture; with alternating fields ``size(_:)`` is that of one field.
    func frameSize(_ isMultiPlanar: Bool) -> FrameSize {
        var size = unsafe size(isMultiPlanar)
        if unsafe fields(isMultiPlanar) == .alternating { size.height *= 2 }
        return size
    }

    /// `V4L2_FIELD_*`.
    func field(_ isMultiPlanar: Bool) -> v4l2_field {
        unsafe v4l2_field(isMultiPlanar ? fmt.pix_mp.field : fmt.pix.field)
    }

    /// Field order of the buffers; nil for sequential fields in one buffer, which are not supported.
    func fields(_ isMultiPlanar: Bool) -> FieldOrder? {
        switch unsafe field(isMultiPlanar) {
        case V4L2_FIELD_ALTERNATE: .alternating
        case V4L2_FIELD_INTERLACED, V4L2_FIELD_INTERLACED_TB, V4L2_FIELD_INTERLACED_BT: .woven
        case V4L2_FIELD_SEQ_TB, V4L2_FIELD_SEQ_BT: nil
        default: .whole
        }
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

    private func colors(_ isMultiPlanar: Bool) -> DriverColors {
        let hasChroma = unsafe FourCC(rawValue: pixelFormat(isMultiPlanar)).hasChroma
        return unsafe isMultiPlanar
            ? DriverColors(
                hasChroma: hasChroma,
                colorspace: fmt.pix_mp.colorspace,
                transfer: UInt32(fmt.pix_mp.xfer_func),
                encoding: UInt32(fmt.pix_mp.ycbcr_enc),
                quantization: UInt32(fmt.pix_mp.quantization)
            )
            : DriverColors(
                hasChroma: hasChroma,
                colorspace: fmt.pix.colorspace,
                transfer: fmt.pix.xfer_func,
                encoding: fmt.pix.ycbcr_enc,
                quantization: fmt.pix.quantization
            )
    }

    func layout(_ isMultiPlanar: Bool) -> PictureLayout {
        var layout = unsafe PictureLayout(
            pixelFormat: FourCC(rawValue: pixelFormat(isMultiPlanar)).inOneBuffer,
            size: frameSize(isMultiPlanar),
            bytesPerRow: isMultiPlanar
                ? Int(fmt.pix_mp.plane_fmt.0.bytesperline) : Int(fmt.pix.bytesperline),
            color: .jfif
        )
        let driver = unsafe colors(isMultiPlanar)
        layout.color = ColorEncoding(driver)
        if !layout.pixelFormat.isJPEG { layout.signal = ColorSignal(driver) }
        unsafe layout.fields = fields(isMultiPlanar) ?? .whole
        layout.places = unsafe places(isMultiPlanar)
        return layout
    }

    /// Positions of planes with separate buffers, mapped one after the other; empty if a frame has one buffer.
    private func places(_ isMultiPlanar: Bool) -> [PlanePlace] {
        let count = unsafe planeCount(isMultiPlanar)
        guard count > 1 else { return [] }
        var start = 0
        return (0..<count).map { index in
            let plane = unsafe plane(index)
            defer { start += V4L2Device.wholePages(Int(plane.sizeimage)) }
            return PlanePlace(start: start, stride: Int(plane.bytesperline))
        }
    }

    private func plane(_ index: Int) -> v4l2_plane_pix_format {
        unsafe withUnsafeBytes(of: fmt.pix_mp.plane_fmt) { bytes in
            unsafe bytes.bindMemory(to: v4l2_plane_pix_format.self)[index]
        }
    }

    /// Buffer size of each plane in bytes, from `sizeimage`.
    func bufferSizes(_ isMultiPlanar: Bool) -> [Int] {
        guard isMultiPlanar else { return unsafe [Int(fmt.pix.sizeimage)] }
        return unsafe (0..<planeCount(true)).map { unsafe Int(plane($0).sizeimage) }
    }
}
