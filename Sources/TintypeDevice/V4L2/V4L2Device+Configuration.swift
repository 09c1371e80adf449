// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
package import TintypeModel

extension V4L2Device {
    /// The ioctls are `VIDIOC_G_FMT` and `VIDIOC_G_PARM`.
    ///
    /// The size is that of the signal where there is one: the format may be what another program had it scaled to.
    package func currentFormat() throws(DeviceError) -> CaptureFormat {
        let format = unsafe try readFormat()
        return unsafe CaptureFormat(
            pixelFormat: FourCC(rawValue: format.pixelFormat(isMultiPlanar)),
            size: signalSize ?? format.frameSize(isMultiPlanar),
            interval: streamParameters.flatMap { unsafe FrameInterval($0.parm.capture.timeperframe) }
        )
    }

    /// The ioctls are `VIDIOC_TRY_FMT`, `VIDIOC_S_FMT`, `VIDIOC_S_SELECTION`, `VIDIOC_S_PARM` and `VIDIOC_G_FMT`;
    /// what the last one reads back is what counts.
    package func configure(_ wish: CaptureFormat, crop: CropRectangle?) throws(DeviceError) -> GrantedFormat {
        var trial = unsafe emptyFormat
        unsafe trial.set(wish, isMultiPlanar)
        // Drivers may lack TRY_FMT (ENOTTY); S_FMT tells as well then.
        if unsafe node.attempt(.tryFormat, CV4L2_TRY_FMT, &trial) == 0 {
            unsafe try refuseUnknown(FourCC(rawValue: trial.pixelFormat(isMultiPlanar)), wish)
        }
        // First of all: a camera that another program uses refuses it, and that program's picture stays as it is.
        try setFormat(wish)
        // Without a scaler the former part bounded the size.
        if resetSelection(V4L2_SEL_TGT_CROP, default: V4L2_SEL_TGT_CROP_DEFAULT) { try setFormat(wish) }
        resetSelection(V4L2_SEL_TGT_COMPOSE, default: V4L2_SEL_TGT_COMPOSE_DEFAULT)
        let part = try crop.map { (crop) throws(DeviceError) in try select(crop) }
        let interval = setInterval(wish.interval)
        // Each of these may have changed it: without a scaler the part is the size of the picture now.
        let format = unsafe try readFormat()
        unsafe try refuseFields(format, wish)
        let pixelFormat = unsafe FourCC(rawValue: format.pixelFormat(isMultiPlanar))
        try refuseUnknown(pixelFormat, wish)
        guard unsafe format.planeCount(isMultiPlanar) == pixelFormat.severalBuffers?.count ?? 1 else {
            throw unsupported("\(pixelFormat) comes in several buffers here.")
        }
        let layout = unsafe try fitted(format.layout(isMultiPlanar), into: format.bufferSizes(isMultiPlanar))
        let result = GrantedFormat(
            format: CaptureFormat(pixelFormat: pixelFormat, size: layout.size, interval: interval),
            layout: layout,
            crop: part
        )
        granted = result
        separatePlanes = layout.places.isEmpty ? [] : layout.planes
        return result
    }

    /// The layout with rows that fit into the buffers, of which the driver says that they have `sizes` (`sizeimage`).
    ///
    /// Where the driver's length of a row is too short, or makes more than its buffer holds, rows without padding are taken;
    /// where not even these fit, it is refused. A driver that says 0 does not say.
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

    /// Asks for a format; once more for woven fields where the driver would deliver each by itself; and, where it does so
    /// nevertheless, for a field with half the rows, which is how `height` counts then.
    private func setFormat(_ wish: CaptureFormat) throws(DeviceError) {
        var format = unsafe emptyFormat
        for field in [V4L2_FIELD_ANY, V4L2_FIELD_INTERLACED] {
            unsafe format.set(wish, isMultiPlanar, field: field)
            unsafe try node.perform(.setFormat, CV4L2_S_FMT, &format)
            let fields = unsafe format.fields(isMultiPlanar)
            if unsafe fields == .woven || fields == .whole && !isLoneField(format, wish) { return }
        }
        guard unsafe format.fields(isMultiPlanar) == .alternating else { return }
        var half = wish
        half.size.height = (wish.size.height + 1) / 2
        unsafe format.set(half, isMultiPlanar, field: format.field(isMultiPlanar))
        unsafe try node.perform(.setFormat, CV4L2_S_FMT, &format)
    }

    /// Whether it is one field of a picture, with half its rows: a driver that is asked for no more than these gives a
    /// field that is a picture by itself.
    private func isLoneField(_ format: v4l2_format, _ wish: CaptureFormat) -> Bool {
        let field = unsafe format.field(isMultiPlanar)
        return unsafe (field == V4L2_FIELD_TOP || field == V4L2_FIELD_BOTTOM)
            && format.size(isMultiPlanar).height * 2 <= wish.size.height
    }

    /// Throws where no picture can be made of the fields that come.
    private func refuseFields(_ format: v4l2_format, _ wish: CaptureFormat) throws(DeviceError) {
        guard let fields = unsafe format.fields(isMultiPlanar) else {
            throw unsupported("it delivers the fields of interlaced pictures one behind the other in a buffer.")
        }
        let layout = unsafe format.layout(isMultiPlanar)
        guard unsafe !isLoneField(format, wish) else {
            throw unsupported("of interlaced pictures of \(wish.size) it delivers one field alone, \(layout.size).")
        }
        guard fields != .alternating || layout.hasRows else {
            throw unsupported(
                "it delivers the fields of interlaced pictures separately, and those of \(layout.pixelFormat) cannot be read."
            )
        }
    }

    /// A driver may answer with another format; only one that no picture can be made from is an error.
    private func refuseUnknown(_ answer: FourCC, _ wish: CaptureFormat) throws(DeviceError) {
        guard answer != wish.pixelFormat, !FourCC.supported.contains(answer) else { return }
        throw unsupported("the driver answers \(answer) to a wish for \(wish.pixelFormat).")
    }

    /// Throws where the format is not the granted one any more: between `VIDIOC_S_FMT` and `VIDIOC_REQBUFS` another
    /// program may set one of its own.
    func checkFormat() throws(DeviceError) {
        guard let granted else { return }
        let format = unsafe try readFormat()
        guard
            unsafe FourCC(rawValue: format.pixelFormat(isMultiPlanar)) == granted.format.pixelFormat,
            unsafe format.frameSize(isMultiPlanar) == granted.format.size
        else { throw .busy(path: node.path, operation: "VIDIOC_S_FMT") }
    }

    /// A format of this device's type that says nothing yet.
    private var emptyFormat: v4l2_format {
        var format = unsafe v4l2_format()
        unsafe format.type = bufferType.rawValue
        return unsafe format
    }

    private func readFormat() throws(DeviceError) -> v4l2_format {
        var format = unsafe emptyFormat
        unsafe try node.perform(.setFormat, CV4L2_G_FMT, &format)
        let size = unsafe format.size(isMultiPlanar)
        guard max(size.width, size.height) <= Self.longestSide else {
            throw unsupported("its driver tells the size \(size), which no picture has.")
        }
        return unsafe format
    }

    /// Sets the rate where the driver says that it can be set, and returns what there is then.
    ///
    /// A driver that cannot may leave the wish in the structure and say that all went well, as gspca does it
    /// (`vidioc_s_parm()` in drivers/media/usb/gspca/gspca.c).
    ///
    /// The ioctls are `VIDIOC_G_PARM` and `VIDIOC_S_PARM`.
    private func setInterval(_ wish: FrameInterval?) -> FrameInterval? {
        guard var parameters = streamParameters else { return nil }
        let canBeSet = unsafe parameters.parm.capture.capability & UInt32(V4L2_CAP_TIMEPERFRAME) != 0
        if canBeSet, let wish {
            unsafe parameters.parm.capture.timeperframe = v4l2_fract(
                numerator: wish.numerator,
                denominator: wish.denominator
            )
            if node.attempt(.parameters, CV4L2_S_PARM, &parameters) == 0,
                let granted = unsafe FrameInterval(parameters.parm.capture.timeperframe)
            {
                return granted
            }
        }
        return streamParameters.flatMap { unsafe FrameInterval($0.parm.capture.timeperframe) }
    }

    /// What `VIDIOC_G_PARM` says; nil for a device without a rate of its own, which is no error.
    private var streamParameters: v4l2_streamparm? {
        var parameters = v4l2_streamparm()
        parameters.type = bufferType.rawValue
        return node.attempt(.parameters, CV4L2_G_PARM, &parameters) == 0 ? parameters : nil
    }
}
