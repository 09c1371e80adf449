// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import TintypeModel

@testable internal import TintypeDevice

extension RecordedInput {
    func write(to input: inout v4l2_input) {
        V4L2Node.write(name, to: &input.name)
        input.type = type ?? UInt32(V4L2_INPUT_TYPE_CAMERA)
        input.status = status?.low ?? 0
        input.capabilities = capabilities?.low ?? 0
        input.std = standards?.rawValue ?? 0
    }
}

extension RecordedStandard {
    func write(to standard: inout v4l2_standard) {
        V4L2Node.write(name, to: &standard.name)
        standard.id = id.rawValue
        standard.framelines = lines
        standard.frameperiod = period.kernel
    }
}

extension RecordedTimings {
    var kernel: v4l2_bt_timings {
        var timings = v4l2_bt_timings()
        timings.width = UInt32(clamping: size.width)
        timings.height = UInt32(clamping: size.height)
        timings.interlaced = isInterlaced ? 1 : 0
        timings.polarities = polarities.low
        timings.pixelclock = pixelClock
        (timings.hfrontporch, timings.hsync, timings.hbackporch) = Self.three(horizontal)
        (timings.vfrontporch, timings.vsync, timings.vbackporch) = Self.three(vertical)
        (timings.il_vfrontporch, timings.il_vsync, timings.il_vbackporch) = Self.three(secondField)
        timings.standards = standards.low
        timings.flags = flags.low
        return timings
    }

    private static func three(_ numbers: [UInt32]) -> (UInt32, UInt32, UInt32) {
        let all = numbers + [0, 0, 0]
        return (all[0], all[1], all[2])
    }
}

extension RecordedControl {
    func write(to query: inout v4l2_query_ext_ctrl) {
        query.id = id.low
        query.type = type.low
        V4L2Node.write(name, to: &query.name)
        (query.minimum, query.maximum) = (minimum ?? 0, maximum ?? 0)
        (query.step, query.default_value) = (step ?? 0, `default` ?? 0)
        query.flags = flags?.low ?? 0
        let sizes = (dimensions ?? []) + [0, 0, 0, 0]
        (query.dims.0, query.dims.1, query.dims.2, query.dims.3) = (sizes[0], sizes[1], sizes[2], sizes[3])
        query.nr_of_dims = UInt32(dimensions?.count ?? 0)
        query.elem_size = elementSize ?? 4
        query.elems = (dimensions ?? []).reduce(1) { $0 &* $1 }
    }

    func write(to query: inout v4l2_queryctrl) {
        query.id = id.low
        query.type = type.low
        V4L2Node.write(name, to: &query.name)
        (query.minimum, query.maximum) = (Int32(clamping: minimum ?? 0), Int32(clamping: maximum ?? 0))
        (query.step, query.default_value) = (Int32(clamping: step ?? 0), Int32(clamping: `default` ?? 0))
        query.flags = flags?.low ?? 0
    }
}
