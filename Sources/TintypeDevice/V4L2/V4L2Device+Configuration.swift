// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
package import TintypeModel

extension V4L2Device {
    /// `VIDIOC_G_FMT` and `VIDIOC_G_PARM`; the size of the signal, if any, as another program may have set a scaler.
    package func currentFormat() throws(DeviceError) -> CaptureFormat {
        let format = try readFormat()
        let interval = streamParameters.flatMap { unsafe FrameInterval($0.parm.capture.timeperframe) }
        let size = signalSize ?? format.frameSize
        return CaptureFormat(pixelFormat: format.pixelFormat, size: size, interval: interval)
    }

    /// `VIDIOC_S_FMT`, `VIDIOC_S_SELECTION`, `VIDIOC_S_PARM`; returns the result of `VIDIOC_G_FMT`.
    package func configure(_ wish: CaptureFormat, crop: CropRectangle?) throws(DeviceError) -> GrantedFormat {
        // First, because a camera in use by another program rejects it, leaving that program's picture unchanged.
        try setFormat(wish)
        // Without a scaler the previous crop limited the size.
        if resetSelection(V4L2_SEL_TGT_CROP, default: V4L2_SEL_TGT_CROP_DEFAULT) { try setFormat(wish) }
        resetSelection(V4L2_SEL_TGT_COMPOSE, default: V4L2_SEL_TGT_COMPOSE_DEFAULT)
        let part = try crop.map { (crop) throws(DeviceError) in try select(crop) }
        let interval = setInterval(wish.interval)
        // Any of these may have changed the format: without a scaler the crop determines the size.
        let format = try readFormat()
        try refuseFields(format, wish)
        let pixelFormat = format.pixelFormat
        try refuseUnknown(pixelFormat, wish)
        guard format.planeCount == pixelFormat.severalBuffers?.count ?? 1 else {
            throw unsupported("\(pixelFormat) comes in several buffers here.")
        }
        let layout = try fitted(format.layout, into: format.bufferSizes)
        let actual = CaptureFormat(pixelFormat: pixelFormat, size: layout.size, interval: interval)
        let result = GrantedFormat(format: actual, layout: layout, crop: part)
        granted = result
        separatePlanes = layout.places.isEmpty ? [] : layout.planes
        return result
    }

    /// Adjusts the row length so that a picture fits into the buffers (`sizeimage`, 0 for unknown in a single buffer).
    ///
    /// If `bytesperline` is too short, or too long for its buffer, rows without padding are assumed; if even these do
    /// not fit, the format is rejected.
    private func fitted(_ layout: PictureLayout, into sizes: [Int]) throws(DeviceError) -> PictureLayout {
        guard let shortest = layout.minimumBytesPerRow, shortest > 0 else { return layout }
        func fits(_ layout: PictureLayout) -> Bool {
            let planes = layout.planes
            let needs = sizes.count == 1 ? [layout.byteCount ?? 0] : planes.map { $0.stride * $0.rows }
            return planes.allSatisfy { $0.used <= $0.stride }
                && zip(needs, sizes).allSatisfy { need, size in need <= size || size == 0 && sizes.count == 1 }
        }
        if fits(layout) { return layout }
        var least = layout
        least.bytesPerRow = shortest
        guard fits(least) else {
            let size = sizes.map(String.init).joined(separator: " and ")
            throw unsupported(
                "its buffers have \(size) bytes, in which no picture of \(layout.size) in \(layout.pixelFormat) has room."
            )
        }
        return least
    }

    /// Retries with V4L2_FIELD_INTERLACED if the driver would deliver fields separately; if it still does, requests
    /// half the rows, as `height` then refers to a field.
    private func setFormat(_ wish: CaptureFormat) throws(DeviceError) {
        var format = DriverFormat(bufferType)
        for field in [V4L2_FIELD_ANY, V4L2_FIELD_INTERLACED] {
            format.set(wish, field: field)
            unsafe try node.perform(.setFormat, CV4L2_S_FMT, &format.raw)
            let fields = format.fields
            if fields == .woven || fields == .whole && !isLoneField(format, wish) { return }
        }
        guard format.fields == .alternating else { return }
        var half = wish
        half.size.height = (wish.size.height + 1) / 2
        format.set(half, field: format.field)
        unsafe try node.perform(.setFormat, CV4L2_S_FMT, &format.raw)
    }

    /// True for a single field with half the rows requested; with as many, a driver's field is a picture by itself.
    private func isLoneField(_ format: DriverFormat, _ wish: CaptureFormat) -> Bool {
        let field = format.field
        return (field == V4L2_FIELD_TOP || field == V4L2_FIELD_BOTTOM)
            && format.size.height * 2 <= wish.size.height
    }

    private func refuseFields(_ format: DriverFormat, _ wish: CaptureFormat) throws(DeviceError) {
        guard let fields = format.fields else {
            throw unsupported("it delivers the fields of interlaced pictures one behind the other in a buffer.")
        }
        let layout = format.layout
        guard !isLoneField(format, wish) else {
            throw unsupported("of interlaced pictures of \(wish.size) it delivers one field alone, \(layout.size).")
        }
        guard fields != .alternating || layout.hasRows else {
            throw unsupported(
                "it delivers the fields of interlaced pictures separately, and those of \(layout.pixelFormat) cannot be read."
            )
        }
    }

    /// A driver may answer with another format; only an unsupported one is an error.
    private func refuseUnknown(_ answer: FourCC, _ wish: CaptureFormat) throws(DeviceError) {
        guard answer != wish.pixelFormat, !FourCC.supported.contains(answer) else { return }
        throw unsupported("the driver answers \(answer) to a wish for \(wish.pixelFormat).")
    }

    /// Another program may set its own format between `VIDIOC_S_FMT` and `VIDIOC_REQBUFS`.
    func checkFormat() throws(DeviceError) {
        guard let granted else { return }
        let format = try readFormat()
        guard format.pixelFormat == granted.format.pixelFormat, format.frameSize == granted.format.size else {
            throw .busy(path: node.path, operation: "VIDIOC_S_FMT")
        }
    }

    private func readFormat() throws(DeviceError) -> DriverFormat {
        var format = DriverFormat(bufferType)
        unsafe try node.perform(.setFormat, CV4L2_G_FMT, &format.raw)
        let size = format.size
        guard max(size.width, size.height) <= Self.longestSide else {
            throw unsupported("its driver tells the size \(size), which no picture has.")
        }
        return format
    }

    /// Returns the actual interval (`VIDIOC_G_PARM`, `VIDIOC_S_PARM`).
    ///
    /// Some drivers without support report success and leave the request in the structure, as gspca does
    /// (`vidioc_s_parm()` in drivers/media/usb/gspca/gspca.c).
    private func setInterval(_ wish: FrameInterval?) -> FrameInterval? {
        guard var parameters = streamParameters else { return nil }
        let canBeSet = unsafe parameters.parm.capture.capability & UInt32(V4L2_CAP_TIMEPERFRAME) != 0
        if canBeSet, let wish {
            let fraction = v4l2_fract(numerator: wish.numerator, denominator: wish.denominator)
            unsafe parameters.parm.capture.timeperframe = fraction
            if node.attempt(.parameters, CV4L2_S_PARM, &parameters) == 0,
                let granted = unsafe FrameInterval(parameters.parm.capture.timeperframe)
            {
                return granted
            }
        }
        return streamParameters.flatMap { unsafe FrameInterval($0.parm.capture.timeperframe) }
    }

    /// `VIDIOC_G_PARM`; nil for a device without a frame interval.
    private var streamParameters: v4l2_streamparm? {
        var parameters = v4l2_streamparm()
        parameters.type = bufferType.rawValue
        return node.attempt(.parameters, CV4L2_G_PARM, &parameters) == 0 ? parameters : nil
    }

    /// Resets a selection rectangle to its default (`VIDIOC_G_SELECTION`, `_S_SELECTION`); true if it was changed.
    ///
    /// One left by another program would crop the picture, or leave a part of the buffer unwritten. Most devices have
    /// none and reject both ioctls. `default` is the target of the default rectangle.
    @discardableResult
    func resetSelection(_ target: Int32, default: Int32) -> Bool {
        var selection = v4l2_selection()
        // The single-planar type also for the multi-planar API: older kernels accept no other here.
        selection.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        selection.target = UInt32(`default`)
        guard node.attempt(.selection, CV4L2_G_SELECTION, &selection) == 0 else { return false }
        selection.target = UInt32(target)
        selection.flags = 0
        let usual = selection.r
        var present = selection
        if node.attempt(.selection, CV4L2_G_SELECTION, &present) == 0,
            (present.r.left, present.r.top, present.r.width, present.r.height)
                == (usual.left, usual.top, usual.width, usual.height)
        {
            return false
        }
        return node.attempt(.selection, CV4L2_S_SELECTION, &selection) == 0
    }

    /// `VIDIOC_S_SELECTION` with `V4L2_SEL_TGT_CROP`; returns the rectangle granted by the driver.
    func select(_ crop: CropRectangle) throws(DeviceError) -> CropRectangle {
        var selection = v4l2_selection()
        selection.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        selection.target = UInt32(V4L2_SEL_TGT_CROP)
        selection.r = v4l2_rect(
            left: Int32(clamping: crop.left),
            top: Int32(clamping: crop.top),
            width: UInt32(clamping: crop.size.width),
            height: UInt32(clamping: crop.size.height)
        )
        switch node.attempt(.selection, CV4L2_S_SELECTION, &selection) {
        case 0: break
        // ENOTTY: no such ioctl; EINVAL: no such target; ERANGE: cannot be met.
        case ENOTTY, EINVAL, ENODATA, ERANGE:
            throw unsupported("the device cannot deliver the part \(crop) of its picture.")
        case let code: throw DeviceError(operation: "VIDIOC_S_SELECTION", path: node.path, errno: code)
        }
        let (part, size) = (selection.r, FrameSize(width: Int(selection.r.width), height: Int(selection.r.height)))
        return CropRectangle(size: size, left: Int(part.left), top: Int(part.top))
    }
}
