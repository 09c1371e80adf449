// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import TintypeModel

extension DeviceRecorder {
    /// So many sizes are tried at most: a UVC camera is asked over the bus for each.
    private static let mostTrials = 200
    /// The sizes that are asked about where a driver gives a range, as far as they are in it.
    private static let usualSizes = [
        FrameSize(width: 640, height: 480), FrameSize(width: 1280, height: 720), FrameSize(width: 1920, height: 1080),
    ]

    /// The ioctls are `VIDIOC_G_FMT`, `VIDIOC_G_PARM`, `VIDIOC_G_SELECTION`, `VIDIOC_CROPCAP`, `VIDIOC_ENUM_FMT` and those
    /// that say more of each format.
    mutating func recordFormats() throws(DeviceError) {
        var format = unsafe v4l2_format()
        unsafe format.type = device.bufferType.rawValue
        if try unsafe ask(.format, &format) { record.format = unsafe RecordedPicture(format, device.isMultiPlanar) }
        var parameters = v4l2_streamparm()
        parameters.type = device.bufferType.rawValue
        if try ask(.rate, &parameters) { record.rate = unsafe RecordedRate(parameters.parm.capture) }
        try recordRectangles()
        var trials = 0
        for index in 0..<Self.listLimit {
            var item = v4l2_fmtdesc()
            item.index = index
            item.type = device.bufferType.rawValue
            guard try ask(.formats, &item, isEnd: true) else { return }
            record.formats.append(try described(item, &trials))
        }
    }

    private mutating func described(_ item: v4l2_fmtdesc, _ trials: inout Int) throws(DeviceError) -> RecordedFormat {
        var format = RecordedFormat(
            pixelFormat: FourCC(rawValue: item.pixelformat),
            name: V4L2Node.text(of: item.description),
            flags: item.flags == 0 ? nil : HexNumber(item.flags)
        )
        var asked: [FrameSize] = []
        for index in 0..<Self.listLimit {
            var size = v4l2_frmsizeenum()
            size.index = index
            size.pixel_format = item.pixelformat
            guard try ask(.sizes, &size, isEnd: index > 0) else {
                if index == 0, let current = record.format?.size { asked = [current] }
                break
            }
            guard size.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue else {
                let range = RecordedRange(size.stepwise)
                format.sizeRange = range
                asked = [range.minimum] + Self.usualSizes.filter(range.contains) + [range.maximum]
                break
            }
            let listed = FrameSize(width: Int(size.discrete.width), height: Int(size.discrete.height))
            format.sizes.append(try answers(format.pixelFormat, listed, &trials))
        }
        guard !asked.isEmpty else { return format }
        var answers: [RecordedSize] = []
        for size in asked where !answers.contains(where: { $0.size == size }) {
            answers.append(try self.answers(format.pixelFormat, size, &trials))
        }
        format.asked = answers
        return format
    }

    private mutating func answers(
        _ pixelFormat: FourCC,
        _ size: FrameSize,
        _ trials: inout Int
    ) throws(DeviceError) -> RecordedSize {
        var answer = RecordedSize(size)
        var intervals: [Fraction] = []
        for index in 0..<Self.listLimit {
            var item = v4l2_frmivalenum()
            item.index = index
            item.pixel_format = pixelFormat.rawValue
            item.width = UInt32(size.width)
            item.height = UInt32(size.height)
            guard try ask(.intervals, &item, isEnd: index > 0) else { break }
            guard item.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue else {
                intervals = [item.stepwise.min, item.stepwise.max, item.stepwise.step].map(Fraction.init)
                answer.hasIntervalRange = true
                break
            }
            intervals.append(Fraction(item.discrete))
        }
        answer.intervals = intervals.isEmpty ? nil : intervals
        trials += 1
        guard trials <= Self.mostTrials else { return answer }
        var format = unsafe v4l2_format()
        unsafe format.type = device.bufferType.rawValue
        unsafe format.set(CaptureFormat(pixelFormat: pixelFormat, size: size, interval: nil), device.isMultiPlanar)
        if try unsafe ask(.tryFormat, &format) { answer.tried = unsafe RecordedPicture(format, device.isMultiPlanar) }
        return answer
    }

    private mutating func recordRectangles() throws(DeviceError) {
        let targets = [
            V4L2_SEL_TGT_CROP, V4L2_SEL_TGT_CROP_DEFAULT, V4L2_SEL_TGT_CROP_BOUNDS, V4L2_SEL_TGT_NATIVE_SIZE,
            V4L2_SEL_TGT_COMPOSE, V4L2_SEL_TGT_COMPOSE_DEFAULT, V4L2_SEL_TGT_COMPOSE_BOUNDS,
            V4L2_SEL_TGT_COMPOSE_PADDED,
        ]
        var rectangles: [RecordedRectangle] = []
        for target in targets {
            var selection = v4l2_selection()
            // The single-planar type, as for setting one: older kernels know no other here.
            selection.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
            selection.target = UInt32(target)
            if try ask(.rectangles, &selection, isEnd: !rectangles.isEmpty) {
                rectangles.append(RecordedRectangle(selection))
            }
        }
        if !rectangles.isEmpty { record.rectangles = rectangles }
        var capability = v4l2_cropcap()
        capability.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        if try ask(.pixelAspect, &capability) { record.pixelAspect = Fraction(capability.pixelaspect) }
    }
}

extension RecordedRange {
    /// Whether `size` is one of it.
    func contains(_ size: FrameSize) -> Bool { bound(size) == size }

    /// The size of the range that is nearest to `size`, as `v4l_bound_align_image()` of the kernel bounds it.
    func bound(_ size: FrameSize) -> FrameSize {
        func side(_ wish: Int, _ low: Int, _ high: Int, _ step: Int) -> Int {
            let step = max(1, step)
            let inside = min(max(wish, low), high)
            return min(low + (inside - low + step / 2) / step * step, high)
        }
        return FrameSize(
            width: side(size.width, minimum.width, maximum.width, step.width),
            height: side(size.height, minimum.height, maximum.height, step.height)
        )
    }
}
