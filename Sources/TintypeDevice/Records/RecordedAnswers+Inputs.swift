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
}
