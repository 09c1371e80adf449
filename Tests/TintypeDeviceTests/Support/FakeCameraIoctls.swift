// SPDX-License-Identifier: Apache-2.0
import CV4L2
import Glibc
import Testing
import TintypeModel

@testable import TintypeDevice

/// A driver's side of the ioctls for input, format and crop, with configurable misbehaviour.
final class FakeCameraIoctls {
    var format = v4l2_pix_format()
    var capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_STREAMING)
    var driver = "fake"
    /// Rate reported by `VIDIOC_G_PARM`, and by `VIDIOC_S_PARM` if the rate can be set; otherwise the latter echoes the
    /// requested rate.
    var rate = (capability: UInt32(V4L2_CAP_TIMEPERFRAME), interval: v4l2_fract(numerator: 1, denominator: 25))
    /// Replies of `VIDIOC_S_FMT` to `V4L2_FIELD_ANY` and `V4L2_FIELD_INTERLACED`.
    var fields = (any: V4L2_FIELD_NONE, interlaced: V4L2_FIELD_INTERLACED)
    /// Maximum number of rows of a single field.
    var mostRowsOfField = UInt32.max
    /// errno of `VIDIOC_S_FMT`; 0 for success.
    var refusal: CInt = 0
    /// Width set by `VIDIOC_S_PARM`; nil to keep the current one.
    var widthAfterRate: UInt32?
    /// Offered sizes in YUYV; nil if the driver does not enumerate them.
    var sizes: v4l2_frmsize_stepwise?
    /// Offered rates for this width in frames per second; nil if the driver does not enumerate them.
    var rates: ((_ width: UInt32) -> [UInt32])?
    /// Selection rectangles by target; empty without crop support.
    var rectangles: [Int32: v4l2_rect] = [:]
    static let whole = v4l2_rect(left: 0, top: 0, width: 640, height: 480)
    /// Detected timings; nil for a device without inputs.
    var timings: v4l2_bt_timings?
    /// Status of the input before and after its timings are set.
    var status = (before: UInt32(0), after: UInt32(0))
    private var hasTimings = false
    /// Buffers of the stream; nil if the driver cannot stream.
    var stream: FakeStream?
    /// State-changing ioctls in call order.
    private(set) var changes: [String] = []

    func device() throws -> V4L2Device { try V4L2Device(try node()) }

    /// Returns the format granted by a new device, without a crop.
    func configure(_ wish: CaptureFormat) throws -> GrantedFormat { try device().configure(wish, crop: nil) }

    func node() throws -> V4L2Node {
        let handle = Descriptor(try stream?.descriptor() ?? eventfd(0, CInt(EFD_CLOEXEC)))
        return unsafe V4L2Node(handle, path: "/dev/fake", calls: DriverCalls()) { _, request, argument in
            unsafe self.answer(request, argument)
        }
    }

    private func answer(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> CInt {
        switch request {
        case CV4L2_QUERYCAP:
            let capability = unsafe argument.assumingMemoryBound(to: v4l2_capability.self)
            unsafe capability.pointee.capabilities = capabilities
            unsafe V4L2Node.write(driver, to: &capability.pointee.driver)
            return 0
        case CV4L2_G_FMT, CV4L2_S_FMT:
            return unsafe handle(argument.assumingMemoryBound(to: v4l2_format.self), isWrite: request == CV4L2_S_FMT)
        case CV4L2_ENUM_FMT, CV4L2_ENUM_FRAMESIZES: return unsafe offer(request, argument)
        case CV4L2_ENUM_FRAMEINTERVALS:
            return unsafe offerRate(&argument.assumingMemoryBound(to: v4l2_frmivalenum.self).pointee)
        case CV4L2_G_SELECTION, CV4L2_S_SELECTION:
            let selection = unsafe argument.assumingMemoryBound(to: v4l2_selection.self)
            return unsafe handle(selection, isWrite: request == CV4L2_S_SELECTION)
        case CV4L2_G_PARM, CV4L2_S_PARM:
            let parameters = unsafe argument.assumingMemoryBound(to: v4l2_streamparm.self)
            unsafe parameters.pointee.parm.capture.capability = rate.capability
            if request == CV4L2_S_PARM {
                changes.append("rate")
                format.width = widthAfterRate ?? format.width
                if rate.capability == 0 { return 0 }
            }
            unsafe parameters.pointee.parm.capture.timeperframe = rate.interval
            return 0
        case CV4L2_G_INPUT: return timings == nil ? ENOTTY : 0
        case CV4L2_ENUMINPUT, CV4L2_QUERY_DV_TIMINGS, CV4L2_S_DV_TIMINGS: return unsafe receive(request, argument)
        default: return unsafe stream?.answer(request, argument) ?? ENOTTY
        }
    }

    private func handle(_ argument: UnsafeMutablePointer<v4l2_format>, isWrite: Bool) -> CInt {
        if isWrite {
            guard refusal == 0 else { return refusal }
            changes.append("format")
            let asked = unsafe argument.pointee.fmt.pix.field
            format = unsafe argument.pointee.fmt.pix
            format.field = (asked == V4L2_FIELD_INTERLACED.rawValue ? fields.interlaced : fields.any).rawValue
            let isField = [V4L2_FIELD_TOP, V4L2_FIELD_BOTTOM].contains { $0.rawValue == format.field }
            if isField { format.height = min(format.height, mostRowsOfField) }
        }
        unsafe argument.pointee.fmt.pix = format
        return 0
    }

    private func handle(_ argument: UnsafeMutablePointer<v4l2_selection>, isWrite: Bool) -> CInt {
        let target = unsafe Int32(argument.pointee.target)
        if isWrite {
            changes.append(target == V4L2_SEL_TGT_CROP ? "crop" : "compose")
            rectangles[target] = unsafe argument.pointee.r
            return 0
        }
        let isDefault = target == V4L2_SEL_TGT_CROP_DEFAULT || target == V4L2_SEL_TGT_COMPOSE_DEFAULT
        guard !rectangles.isEmpty, let rectangle = isDefault ? Self.whole : rectangles[target] else { return ENOTTY }
        unsafe argument.pointee.r = rectangle
        return 0
    }

    private func offer(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> CInt {
        guard let sizes else { return ENOTTY }
        if request == CV4L2_ENUM_FMT {
            let format = unsafe argument.assumingMemoryBound(to: v4l2_fmtdesc.self)
            unsafe format.pointee.pixelformat = FourCC.yuyv.rawValue
            return unsafe format.pointee.index == 0 ? 0 : EINVAL
        }
        let size = unsafe argument.assumingMemoryBound(to: v4l2_frmsizeenum.self)
        unsafe size.pointee.type = V4L2_FRMSIZE_TYPE_STEPWISE.rawValue
        unsafe size.pointee.stepwise = sizes
        return 0
    }

    private func offerRate(_ item: inout v4l2_frmivalenum) -> CInt {
        guard let rates = rates?(item.width) else { return ENOTTY }
        guard item.index < rates.count else { return EINVAL }
        item.type = V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
        item.discrete = v4l2_fract(numerator: 1, denominator: rates[Int(item.index)])
        return 0
    }

    private func receive(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> CInt {
        guard let timings else { return ENOTTY }
        switch request {
        case CV4L2_ENUMINPUT:
            let input = unsafe argument.assumingMemoryBound(to: v4l2_input.self)
            guard unsafe input.pointee.index == 0 else { return EINVAL }
            unsafe input.pointee.capabilities = UInt32(V4L2_IN_CAP_DV_TIMINGS)
            unsafe input.pointee.status = hasTimings ? status.after : status.before
        case CV4L2_QUERY_DV_TIMINGS:
            unsafe argument.assumingMemoryBound(to: v4l2_dv_timings.self).pointee.bt = timings
        default:
            changes.append("timings")
            hasTimings = true
        }
        return 0
    }
}

/// Expects the fake device to reject a configuration with this sentence.
func expectRefusal(
    _ reason: String,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> GrantedFormat
) {
    let refusal = DeviceError.unsupported(path: "/dev/fake", reason: reason)
    #expect(throws: refusal, sourceLocation: sourceLocation) { try body() }
}

extension V4L2Node {
    /// Writes `text` into a fixed-size C array, truncated if necessary and NUL-terminated.
    static func write<T>(_ text: String, to array: inout T) {
        unsafe withUnsafeMutableBytes(of: &array) { bytes in
            unsafe bytes.copyBytes(from: Array(text.utf8.prefix(bytes.count - 1)) + [0])
        }
    }
}
