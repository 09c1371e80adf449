// SPDX-License-Identifier: Apache-2.0
internal import CV4L2

/// An ioctl that asks and changes nothing, by its name in a record.
enum RecordedQuery: String {
    case formats = "VIDIOC_ENUM_FMT"
    case sizes = "VIDIOC_ENUM_FRAMESIZES"
    case intervals = "VIDIOC_ENUM_FRAMEINTERVALS"
    case format = "VIDIOC_G_FMT"
    case tryFormat = "VIDIOC_TRY_FMT"
    case rate = "VIDIOC_G_PARM"
    case inputs = "VIDIOC_ENUMINPUT"
    case input = "VIDIOC_G_INPUT"
    case standards = "VIDIOC_ENUMSTD"
    case standard = "VIDIOC_G_STD"
    case receivedStandard = "VIDIOC_QUERYSTD"
    case timings = "VIDIOC_G_DV_TIMINGS"
    case receivedTimings = "VIDIOC_QUERY_DV_TIMINGS"
    case pixelAspect = "VIDIOC_CROPCAP"
    case rectangles = "VIDIOC_G_SELECTION"
    case priority = "VIDIOC_G_PRIORITY"
    case controls = "VIDIOC_QUERY_EXT_CTRL"
    case values = "VIDIOC_G_EXT_CTRLS"

    /// The number of the ioctl.
    var request: UInt {
        switch self {
        case .formats: CV4L2_ENUM_FMT
        case .sizes: CV4L2_ENUM_FRAMESIZES
        case .intervals: CV4L2_ENUM_FRAMEINTERVALS
        case .format: CV4L2_G_FMT
        case .tryFormat: CV4L2_TRY_FMT
        case .rate: CV4L2_G_PARM
        case .inputs: CV4L2_ENUMINPUT
        case .input: CV4L2_G_INPUT
        case .standards: CV4L2_ENUMSTD
        case .standard: CV4L2_G_STD
        case .receivedStandard: CV4L2_QUERYSTD
        case .timings: CV4L2_G_DV_TIMINGS
        case .receivedTimings: CV4L2_QUERY_DV_TIMINGS
        case .pixelAspect: CV4L2_CROPCAP
        case .rectangles: CV4L2_G_SELECTION
        case .priority: CV4L2_G_PRIORITY
        case .controls: CV4L2_QUERY_EXT_CTRL
        case .values: CV4L2_G_EXT_CTRLS
        }
    }

    /// What is told of it while it hangs.
    var call: DriverCalls.Call {
        switch self {
        case .formats, .sizes, .intervals: .formats
        case .format: .setFormat
        case .tryFormat: .tryFormat
        case .rate: .parameters
        case .inputs, .input: .input
        case .standards, .standard, .receivedStandard: .standard
        case .timings, .receivedTimings: .timings
        case .pixelAspect, .rectangles: .selection
        case .priority: .queryCapability
        case .controls: .queryControl
        case .values: .readControl
        }
    }
}
