// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
package import TintypeModel

extension V4L2Device {
    /// More than any device has.
    private static let inputLimit: UInt32 = 256
    /// Plausible widths and heights; others mean that the device has not locked to the signal.
    private static let signalSides: ClosedRange<UInt32> = 1...65_536

    /// `VIDIOC_ENUMINPUT`, `VIDIOC_S_INPUT`, `VIDIOC_S_STD` and `VIDIOC_S_DV_TIMINGS`; subscribes to later changes.
    ///
    /// Sets the detected timings of a digital input, and the requested or detected standard of an analogue one.
    package func selectInput(_ wish: InputWish) throws(DeviceError) -> InputStatus? {
        let named = wish.standard.flatMap { $0.lowercased() == "auto" ? nil : $0 }
        guard let index = try index(of: wish.input) else {
            if let named { throw unsupported("the device has no standards, and \(named) is asked for.") }
            return nil
        }
        var chosen = CInt(index)
        // Not if already selected: that would reset settings others rely on, and fail while they stream.
        if wish.input != nil, currentInput != index { try node.perform(.setInput, CV4L2_S_INPUT, &chosen) }
        guard var input = description(of: index) else { return nil }
        inputName = V4L2Node.text(of: input.name)
        signalSize = nil
        // Subscribe before reading, so that no later change is missed.
        tellsSourceChanges = subscribe(to: V4L2_EVENT_SOURCE_CHANGE, id: index)
        subscribe(to: V4L2_EVENT_EOS)
        var status = InputStatus(index: Int(index), name: inputName ?? "")
        let hasStandards = input.capabilities & UInt32(V4L2_IN_CAP_STD) != 0
        if let named, !hasStandards {
            throw unsupported("the input \(status.name) has no standards, and \(named) is asked for.")
        }
        if input.capabilities & UInt32(V4L2_IN_CAP_DV_TIMINGS) != 0 {
            status.timings = try followTimings()
        } else if hasStandards {
            status.standard = try followStandard(named)
        }
        // The status of the signal may have changed with the timings or the standard.
        input = description(of: index) ?? input
        if let fault = SignalFault(status: input.status) { throw noSignal(fault) }
        return status
    }

    func noSignal(_ fault: SignalFault) -> DeviceError {
        .noSignal(path: node.path, input: inputName ?? identity.card, fault: fault)
    }

    /// Nil for a valid signal, and for a device without inputs.
    var signalFault: SignalFault? {
        guard inputName != nil, let input = currentInput.flatMap(description) else { return nil }
        return SignalFault(status: input.status)
    }

    func unsupported(_ reason: String) -> DeviceError { .unsupported(path: node.path, reason: reason) }

    var currentInput: UInt32? {
        var index: CInt = 0
        return node.attempt(.input, CV4L2_G_INPUT, &index) == 0 ? UInt32(bitPattern: index) : nil
    }

    func description(of index: UInt32) -> v4l2_input? {
        var input = v4l2_input()
        input.index = index
        return node.attempt(.input, CV4L2_ENUMINPUT, &input) == 0 ? input : nil
    }

    /// The current input by default; nil if the device has none.
    private func index(of choice: InputChoice?) throws(DeviceError) -> UInt32? {
        guard let choice else { return currentInput }
        var names: [String] = []
        for index in 0..<Self.inputLimit {
            guard let input = description(of: index) else { break }
            names.append(V4L2Node.text(of: input.name))
        }
        return UInt32(try choice.place(among: names, of: node.path))
    }

    /// Follows the detected DV timings (`VIDIOC_QUERY_DV_TIMINGS`, `VIDIOC_S_DV_TIMINGS`) and returns their text.
    private func followTimings() throws(DeviceError) -> String? {
        var timings = v4l2_dv_timings()
        switch node.attempt(.timings, CV4L2_QUERY_DV_TIMINGS, &timings) {
        case 0: break
        case ENOLINK: throw noSignal(.noSignal)
        case ENOLCK: throw noSignal(.noLock)
        case ERANGE: throw noSignal(.outOfRange)
        // No detection (ENODATA, ENOTTY): keep the current timings.
        default: return nil
        }
        let sides = Self.signalSides
        guard sides.contains(timings.bt.width), sides.contains(timings.bt.height) else { throw noSignal(.noLock) }
        try node.perform(.timings, CV4L2_S_DV_TIMINGS, &timings)
        signalSize = FrameSize(width: Int(timings.bt.width), height: Int(timings.bt.height))
        return Self.text(of: timings.bt)
    }

    /// `1920x1080p60`, with `i` for interlaced; the rate is that of whole frames.
    private static func text(of timings: v4l2_bt_timings) -> String {
        let isInterlaced = timings.interlaced != 0
        // Measured by the driver from any input.
        func sum(_ parts: [UInt32]) -> Double { parts.reduce(0) { $0 + Double($1) } }
        let width = sum([timings.width, timings.hfrontporch, timings.hsync, timings.hbackporch])
        var height = sum([timings.height, timings.vfrontporch, timings.vsync, timings.vbackporch])
        if isInterlaced { height += sum([timings.il_vfrontporch, timings.il_vsync, timings.il_vbackporch]) }
        let rate = (Double(timings.pixelclock) / (width * height)).rounded()
        let size = "\(timings.width)x\(timings.height)\(isInterlaced ? "i" : "p")"
        return (1...10_000).contains(rate) ? size + "\(Int(rate))" : size
    }

    /// Sets the requested or detected standard (`VIDIOC_ENUMSTD`, `_QUERYSTD`, `_G_STD`, `_S_STD`); returns its name.
    private func followStandard(_ wish: String?) throws(DeviceError) -> String? {
        let standards = standards
        var id: v4l2_std_id = 0
        if let wish {
            guard let standard = standards.first(where: { $0.name.lowercased() == wish.lowercased() }) else {
                let names = standards.map(\.name).joined(separator: ", ")
                throw unsupported("the input \(inputName ?? "") has no standard \(wish), only \(names).")
            }
            id = standard.id
            try node.perform(.standard, CV4L2_S_STD, &id)
        } else if node.attempt(.standard, CV4L2_QUERYSTD, &id) == 0, id != 0 {
            // If several match, keep the current one if it is among them.
            var set: v4l2_std_id = 0
            if node.attempt(.standard, CV4L2_G_STD, &set) != 0 || set & id == 0 {
                try node.perform(.standard, CV4L2_S_STD, &id)
            }
        }
        guard node.attempt(.standard, CV4L2_G_STD, &id) == 0 else { return nil }
        guard let standard = standards.first(where: { $0.id == id }) ?? standards.first(where: { $0.id & id != 0 })
        else { return nil }
        // ITU-R BT.601: 720 samples per line, and 480 or 576 active lines of 525 or 625.
        signalSize = FrameSize(width: 720, height: standard.lines == 525 ? 480 : 576)
        return standard.name
    }

    private var standards: [(name: String, id: v4l2_std_id, lines: UInt32)] {
        var list: [(name: String, id: v4l2_std_id, lines: UInt32)] = []
        for index in 0..<Self.inputLimit {
            var item = v4l2_standard()
            item.index = index
            guard node.attempt(.standard, CV4L2_ENUMSTD, &item) == 0 else { break }
            list.append((V4L2Node.text(of: item.name), item.id, item.framelines))
        }
        return list
    }
}

extension SignalFault {
    /// `status` of `v4l2_input`; nil for a valid signal.
    init?(status: UInt32) {
        let missing = UInt32(V4L2_IN_ST_NO_POWER) | UInt32(V4L2_IN_ST_NO_SIGNAL) | UInt32(V4L2_IN_ST_NO_CARRIER)
        let unlocked = [
            V4L2_IN_ST_NO_H_LOCK, V4L2_IN_ST_NO_V_LOCK, V4L2_IN_ST_NO_STD_LOCK, V4L2_IN_ST_NO_SYNC, V4L2_IN_ST_NO_EQU,
        ].reduce(UInt32(0)) { $0 | UInt32($1) }
        guard status & (missing | unlocked) != 0 else { return nil }
        self = status & missing != 0 ? .noSignal : .noLock
    }
}

extension InputChoice {
    /// Index among `names`, the inputs at `path`; throws ``DeviceError/unsupported(path:reason:)`` if none.
    package func place(among names: [String], of path: String) throws(DeviceError) -> Int {
        let found: Int? =
            switch self {
            case .index(let index): names.indices.contains(index) ? index : nil
            case .name(let name): names.firstIndex { $0.lowercased() == name.lowercased() }
            }
        if let found { return found }
        guard !names.isEmpty else {
            throw .unsupported(path: path, reason: "the device has no inputs, and \(self) is asked for.")
        }
        let list = names.enumerated().map { "\($0.offset) (\($0.element))" }.joined(separator: ", ")
        throw .unsupported(path: path, reason: "the device has no input \(self), only \(list).")
    }
}
