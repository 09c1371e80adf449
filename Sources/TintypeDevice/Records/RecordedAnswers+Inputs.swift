// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import TintypeModel

extension RecordedInput {
    init(_ input: v4l2_input) {
        self.init(name: V4L2Node.text(of: input.name))
        type = input.type
        status = HexNumber(input.status)
        capabilities = HexNumber(input.capabilities)
        standards = HexNumber(input.std)
    }

    func write(to input: inout v4l2_input) {
        V4L2Node.write(name, to: &input.name)
        input.type = type ?? UInt32(V4L2_INPUT_TYPE_CAMERA)
        input.status = status?.low ?? 0
        input.capabilities = capabilities?.low ?? 0
        input.std = standards?.rawValue ?? 0
    }
}

extension RecordedStandard {
    init(_ standard: v4l2_standard) {
        self.init(
            name: V4L2Node.text(of: standard.name),
            id: HexNumber(standard.id),
            lines: standard.framelines,
            period: Fraction(standard.frameperiod)
        )
    }

    func write(to standard: inout v4l2_standard) {
        V4L2Node.write(name, to: &standard.name)
        standard.id = id.rawValue
        standard.framelines = lines
        standard.frameperiod = period.kernel
    }
}

extension RecordedTimings {
    init(_ timings: v4l2_bt_timings) {
        self.init(
            size: FrameSize(width: Int(timings.width), height: Int(timings.height)),
            isInterlaced: timings.interlaced != 0,
            polarities: HexNumber(timings.polarities),
            pixelClock: timings.pixelclock,
            horizontal: [timings.hfrontporch, timings.hsync, timings.hbackporch],
            vertical: [timings.vfrontporch, timings.vsync, timings.vbackporch],
            secondField: [timings.il_vfrontporch, timings.il_vsync, timings.il_vbackporch],
            standards: HexNumber(timings.standards),
            flags: HexNumber(timings.flags)
        )
    }

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
    init(_ query: v4l2_query_ext_ctrl) {
        self.init(id: HexNumber(query.id), name: V4L2Node.text(of: query.name), type: HexNumber(query.type))
        guard query.type != V4L2_CTRL_TYPE_CTRL_CLASS.rawValue else { return }
        (minimum, maximum, step, `default`) = (query.minimum, query.maximum, query.step, query.default_value)
        flags = HexNumber(query.flags)
        let sizes = [query.dims.0, query.dims.1, query.dims.2, query.dims.3]
        if query.nr_of_dims > 0 { dimensions = Array(sizes.prefix(Int(query.nr_of_dims))) }
        let hasPayload = query.flags & UInt32(V4L2_CTRL_FLAG_HAS_PAYLOAD) != 0
        if hasPayload || query.nr_of_dims > 0 { elementSize = query.elem_size }
    }

    init(_ query: v4l2_queryctrl) {
        self.init(id: HexNumber(query.id), name: V4L2Node.text(of: query.name), type: HexNumber(query.type))
        (minimum, maximum) = (Int64(query.minimum), Int64(query.maximum))
        (step, `default`) = (UInt64(max(0, query.step)), Int64(query.default_value))
        flags = HexNumber(query.flags)
    }

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
