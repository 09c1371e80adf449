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
    init(_ query: RawControl) {
        self.init(id: HexNumber(query.id), name: query.title, type: HexNumber(query.type))
        guard !query.isHeading else { return }
        (minimum, maximum, step, `default`) = (query.minimum, query.maximum, query.step, query.defaultValue)
        flags = HexNumber(query.flags)
        if !query.dimensions.isEmpty { dimensions = query.dimensions }
        let hasPayload = query.flags & UInt32(V4L2_CTRL_FLAG_HAS_PAYLOAD) != 0
        // The older ioctl does not say it.
        if hasPayload || dimensions != nil, query.elementSize > 0 { elementSize = query.elementSize }
    }
}
