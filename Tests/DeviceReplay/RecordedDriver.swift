// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import TintypeModel

@testable internal import TintypeDevice

/// A driver's side of the ioctls of a recorded device: everything but frames.
///
/// `VIDIOC_S_FMT` grants what `VIDIOC_TRY_FMT` answered for that size; controls are checked and rounded as
/// `VIDIOC_S_EXT_CTRLS` does it. What the record does not have is refused with the recorded error. Not `Sendable`, as the
/// device that it stands for.
final class RecordedDriver {
    let record: DeviceRecord
    let isMultiPlanar: Bool
    private(set) var picture: RecordedPicture
    private var interval: Fraction?
    private var input: UInt32?
    private var standard: UInt64?
    private var priority: UInt32?
    private var rectangles: [RecordedRectangle]
    var values: [UInt32: ControlValue]
    /// The flags of those controls that are not as recorded.
    var flags: [UInt32: UInt32] = [:]

    /// The driver of the device of `record`.
    init(_ record: DeviceRecord) {
        self.record = record
        let capabilities = (record.deviceCapabilities ?? record.capabilities).low
        isMultiPlanar =
            capabilities & UInt32(V4L2_CAP_VIDEO_CAPTURE) == 0
            && capabilities & UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0
        let first = record.formats.first
        picture =
            record.format
            ?? RecordedPicture(
                pixelFormat: first?.pixelFormat ?? .yuyv,
                size: first?.sizes.first?.size ?? FrameSize(width: 640, height: 480)
            )
        interval = record.rate?.interval
        input = record.input
        standard = record.standard?.rawValue
        priority = record.priority
        rectangles = record.rectangles ?? []
        values = Dictionary(record.controls.map { ($0.id.low, $0.value) }) { first, _ in first }.compactMapValues { $0 }
    }

    /// Answers an ioctl: 0, or the errno.
    func answer(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> CInt {
        switch request {
        case CV4L2_QUERYCAP: unsafe describe(&argument.assumingMemoryBound(to: v4l2_capability.self).pointee)
        case CV4L2_ENUM_FMT: unsafe answer(&argument.assumingMemoryBound(to: v4l2_fmtdesc.self).pointee)
        case CV4L2_ENUM_FRAMESIZES: unsafe answer(&argument.assumingMemoryBound(to: v4l2_frmsizeenum.self).pointee)
        case CV4L2_ENUM_FRAMEINTERVALS:
            unsafe answer(&argument.assumingMemoryBound(to: v4l2_frmivalenum.self).pointee)
        case CV4L2_G_FMT, CV4L2_TRY_FMT, CV4L2_S_FMT:
            unsafe answer(request, &argument.assumingMemoryBound(to: v4l2_format.self).pointee)
        case CV4L2_G_PARM, CV4L2_S_PARM:
            unsafe answer(request, &argument.assumingMemoryBound(to: v4l2_streamparm.self).pointee)
        case CV4L2_G_SELECTION, CV4L2_S_SELECTION:
            unsafe answer(request, &argument.assumingMemoryBound(to: v4l2_selection.self).pointee)
        case CV4L2_CROPCAP: unsafe answer(&argument.assumingMemoryBound(to: v4l2_cropcap.self).pointee)
        case CV4L2_G_PRIORITY:
            unsafe read(.priority, priority, to: &argument.assumingMemoryBound(to: UInt32.self).pointee)
        case CV4L2_S_PRIORITY: unsafe setPriority(argument.assumingMemoryBound(to: UInt32.self).pointee)
        case CV4L2_G_INPUT: unsafe read(.input, input, to: &argument.assumingMemoryBound(to: UInt32.self).pointee)
        case CV4L2_S_INPUT: unsafe select(argument.assumingMemoryBound(to: UInt32.self).pointee)
        case CV4L2_ENUMINPUT: unsafe answer(&argument.assumingMemoryBound(to: v4l2_input.self).pointee)
        case CV4L2_ENUMSTD: unsafe answer(&argument.assumingMemoryBound(to: v4l2_standard.self).pointee)
        case CV4L2_G_STD: unsafe read(.standard, standard, to: &argument.assumingMemoryBound(to: UInt64.self).pointee)
        case CV4L2_S_STD: unsafe setStandard(argument.assumingMemoryBound(to: UInt64.self).pointee)
        case CV4L2_QUERYSTD:
            unsafe read(
                .receivedStandard,
                record.receivedStandard?.rawValue,
                to: &argument.assumingMemoryBound(to: UInt64.self).pointee
            )
        case CV4L2_G_DV_TIMINGS, CV4L2_QUERY_DV_TIMINGS:
            unsafe answer(request, &argument.assumingMemoryBound(to: v4l2_dv_timings.self).pointee)
        case CV4L2_S_DV_TIMINGS: record.receivedTimings == nil ? ENOTTY : 0
        default: unsafe answerOfControls(request, argument)
        }
    }

    /// The error that was recorded for `query`; `other` where none was.
    func refusal(of query: RecordedQuery, else other: CInt = ENOTTY) -> CInt {
        record.refusals?[query.rawValue].map { CInt(truncatingIfNeeded: $0) } ?? other
    }

    private func read<T>(_ query: RecordedQuery, _ value: T?, to place: inout T) -> CInt {
        guard let value else { return refusal(of: query) }
        place = value
        return 0
    }

    // MARK: - What it is

    private func describe(_ capability: inout v4l2_capability) -> CInt {
        V4L2Node.write(record.driver, to: &capability.driver)
        V4L2Node.write(record.card, to: &capability.card)
        V4L2Node.write(record.busInfo, to: &capability.bus_info)
        capability.version = record.version?.low ?? 0
        capability.capabilities = record.capabilities.low
        capability.device_caps = record.deviceCapabilities?.low ?? 0
        return 0
    }

    /// As v4l2_prio_change() does it.
    private func setPriority(_ number: UInt32) -> CInt {
        guard priority != nil else { return refusal(of: .priority) }
        let known = V4L2_PRIORITY_BACKGROUND.rawValue...V4L2_PRIORITY_RECORD.rawValue
        guard known.contains(number) else { return EINVAL }
        priority = number
        return 0
    }

    // MARK: - Inputs

    private func answer(_ argument: inout v4l2_input) -> CInt {
        let inputs = record.inputs ?? []
        guard argument.index < inputs.count else {
            return inputs.isEmpty ? refusal(of: .inputs) : EINVAL
        }
        inputs[Int(argument.index)].write(to: &argument)
        return 0
    }

    private func select(_ index: UInt32) -> CInt {
        guard let inputs = record.inputs, input != nil else { return ENOTTY }
        guard index < inputs.count else { return EINVAL }
        input = index
        return 0
    }

    private func answer(_ argument: inout v4l2_standard) -> CInt {
        let standards = record.standards ?? []
        guard argument.index < standards.count else {
            return standards.isEmpty ? refusal(of: .standards) : EINVAL
        }
        standards[Int(argument.index)].write(to: &argument)
        return 0
    }

    private func setStandard(_ id: UInt64) -> CInt {
        guard standard != nil else { return refusal(of: .standard) }
        standard = id
        return 0
    }

    private func answer(_ request: UInt, _ argument: inout v4l2_dv_timings) -> CInt {
        let isReceived = request == CV4L2_QUERY_DV_TIMINGS
        guard let timings = isReceived ? record.receivedTimings : record.timings else {
            return refusal(of: isReceived ? .receivedTimings : .timings)
        }
        argument.type = UInt32(V4L2_DV_BT_656_1120)
        argument.bt = timings.kernel
        return 0
    }

    // MARK: - Format, rate and part

    private func answer(_ request: UInt, _ argument: inout v4l2_format) -> CInt {
        guard
            unsafe argument.type
                == (isMultiPlanar ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_CAPTURE).rawValue
        else { return EINVAL }
        guard request != CV4L2_G_FMT else {
            guard record.format != nil else { return refusal(of: .format, else: EINVAL) }
            unsafe picture.write(to: &argument, isMultiPlanar)
            return 0
        }
        let asked = unsafe FourCC(rawValue: argument.pixelFormat(isMultiPlanar))
        let size = unsafe argument.size(isMultiPlanar)
        guard let granted = picture(for: asked, size) else { return refusal(of: .tryFormat, else: EINVAL) }
        unsafe granted.write(to: &argument, isMultiPlanar)
        guard request == CV4L2_S_FMT else { return 0 }
        picture = granted
        let offered = answers(about: granted.pixelFormat, granted.size)
        if let intervals = offered?.intervals, offered?.hasIntervalRange == nil, let interval,
            !intervals.contains(interval)
        {
            self.interval = intervals.first
        }
        return 0
    }

    private func answer(_ request: UInt, _ argument: inout v4l2_streamparm) -> CInt {
        guard let rate = record.rate else { return refusal(of: .rate) }
        if request == CV4L2_S_PARM {
            guard rate.capability.low & UInt32(V4L2_CAP_TIMEPERFRAME) != 0 else {
                // As gspca does it: the wish stays in the structure.
                unsafe argument.parm.capture.capability = 0
                return 0
            }
            let wish = unsafe Fraction(argument.parm.capture.timeperframe)
            interval = nearestInterval(to: wish) ?? interval
        }
        unsafe argument.parm.capture.capability = rate.capability.low
        unsafe argument.parm.capture.timeperframe = (interval ?? rate.interval).kernel
        return 0
    }

    private func answer(_ request: UInt, _ argument: inout v4l2_selection) -> CInt {
        guard let index = rectangles.firstIndex(where: { $0.target.low == argument.target }) else {
            return refusal(of: .rectangles)
        }
        if request == CV4L2_S_SELECTION { rectangles[index] = RecordedRectangle(argument) }
        argument.r = rectangles[index].kernel
        return 0
    }

    private func answer(_ argument: inout v4l2_cropcap) -> CInt {
        guard let aspect = record.pixelAspect else { return refusal(of: .pixelAspect) }
        argument.pixelaspect = aspect.kernel
        return 0
    }
}
