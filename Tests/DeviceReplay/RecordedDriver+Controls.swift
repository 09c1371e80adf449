// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import TintypeModel

@testable internal import TintypeDevice

/// Controls as the kernel's control framework has them (drivers/media/v4l2-core/v4l2-ctrls-core.c, `std_validate`).
extension RecordedDriver {
    func answerOfControls(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> CInt {
        switch request {
        case CV4L2_QUERY_EXT_CTRL:
            guard !isOlder else { return ENOTTY }
            let query = unsafe argument.assumingMemoryBound(to: v4l2_query_ext_ctrl.self)
            guard let control = unsafe find(query.pointee.id) else { return unsafe end(query.pointee.id) }
            unsafe control.write(to: &query.pointee)
            unsafe query.pointee.flags = flags(of: control)
        case CV4L2_QUERYCTRL:
            let query = unsafe argument.assumingMemoryBound(to: v4l2_queryctrl.self)
            guard let control = unsafe find(query.pointee.id), control.dimensions == nil else {
                return unsafe end(query.pointee.id)
            }
            unsafe control.write(to: &query.pointee)
            unsafe query.pointee.flags = flags(of: control)
        case CV4L2_QUERYMENU: return unsafe answer(&argument.assumingMemoryBound(to: v4l2_querymenu.self).pointee)
        case CV4L2_G_EXT_CTRLS, CV4L2_S_EXT_CTRLS:
            return unsafe answer(request, &argument.assumingMemoryBound(to: v4l2_ext_controls.self).pointee)
        default: return ENOTTY
        }
        return 0
    }

    /// The control of this number, or with `V4L2_CTRL_FLAG_NEXT_CTRL` the one behind it.
    private func find(_ id: UInt32) -> RecordedControl? {
        let next = UInt32(V4L2_CTRL_FLAG_NEXT_CTRL) | UInt32(V4L2_CTRL_FLAG_NEXT_COMPOUND)
        guard id & next != 0 else { return record.controls.first { $0.id.low == id } }
        return record.controls.filter { $0.id.low > id & ~next }.min { $0.id.low < $1.id.low }
    }

    /// Whether it is from before `VIDIOC_QUERY_EXT_CTRL` (Linux 3.17).
    private var isOlder: Bool { record.refusals?[RecordedQuery.controls.rawValue] == Int(ENOTTY) }

    /// What is said of a control that there is not: behind the last that the driver told, what it refused with.
    private func end(_ id: UInt32) -> CInt {
        let isListing = id & (UInt32(V4L2_CTRL_FLAG_NEXT_CTRL) | UInt32(V4L2_CTRL_FLAG_NEXT_COMPOUND)) != 0
        return isListing && !isOlder ? refusal(of: .controls, else: EINVAL) : EINVAL
    }

    /// The flags, with those that follow from the automatics.
    private func flags(of control: RecordedControl) -> UInt32 { flags[control.id.low] ?? control.flags?.low ?? 0 }

    private func answer(_ argument: inout v4l2_querymenu) -> CInt {
        guard let control = record.controls.first(where: { $0.id.low == argument.id }),
            let item = control.menu?.first(where: { $0.index == Int64(argument.index) })
        else { return EINVAL }
        if control.type.low == V4L2_CTRL_TYPE_INTEGER_MENU.rawValue {
            argument.value = Int64(item.name) ?? 0
        } else {
            V4L2Node.write(item.name, to: &argument.name)
        }
        return 0
    }

    private func answer(_ request: UInt, _ list: inout v4l2_ext_controls) -> CInt {
        if record.refusals?[RecordedQuery.values.rawValue] == Int(ENOTTY) { return ENOTTY }
        let isWrite = request == CV4L2_S_EXT_CTRLS
        let items = unsafe UnsafeMutableBufferPointer(start: list.controls, count: Int(list.count))
        var news: [(control: RecordedControl, value: ControlValue)] = []
        for index in items.indices {
            let id = unsafe items[index].id
            guard let control = record.controls.first(where: { $0.id.low == id }) else { return EINVAL }
            guard unsafe list.which == 0 || list.which == id & ControlOrder.classMask else { return EINVAL }
            let flags = flags(of: control)
            if isWrite {
                let (code, value) = unsafe validated(items[index], control, flags)
                unsafe list.error_idx = list.count
                guard code == 0, let value else { return code }
                news.append((control, value))
            } else {
                guard flags & UInt32(V4L2_CTRL_FLAG_WRITE_ONLY) == 0 else { return EACCES }
                guard let value = value(of: control) else { return refusal(of: .values, else: EINVAL) }
                guard unsafe control.give(value, &items[index]) else { return ENOSPC }
            }
        }
        for (index, new) in news.enumerated() {
            values[new.control.id.low] = new.value
            unsafe _ = new.control.give(new.value, &items[index])
            update(after: new.control, new.value)
        }
        return 0
    }

    /// What is read of a control: what was recorded or set since, else its default; nil for one that has no value.
    private func value(of control: RecordedControl) -> ControlValue? {
        if let value = values[control.id.low] { return value }
        guard record.refusals?[RecordedQuery.values.rawValue] == nil, control.isNumber else { return nil }
        return .integer(control.default ?? 0)
    }

    /// Switches the flag of manual values with their automatics, where the record has shown that this driver does so.
    private func update(after control: RecordedControl, _ value: ControlValue) {
        let id = control.id.low
        let isAutomatic =
            id == ControlNumber.autoExposure
            // V4L2_EXPOSURE_MANUAL and V4L2_EXPOSURE_SHUTTER_PRIORITY leave the time to the user.
            ? ![1, 2].contains(value.whole) : value.whole != 0
        for other in record.controls where ControlNumber.switches(of: other.id.low).contains(id) {
            let inactive = UInt32(V4L2_CTRL_FLAG_INACTIVE)
            let recorded = other.flags?.low ?? 0
            guard recorded & inactive != 0 else { continue }
            flags[other.id.low] = isAutomatic ? recorded : recorded & ~inactive
        }
    }

    private func validated(
        _ item: v4l2_ext_control,
        _ control: RecordedControl,
        _ flags: UInt32
    ) -> (CInt, ControlValue?) {
        if flags & UInt32(V4L2_CTRL_FLAG_READ_ONLY) != 0 { return (EACCES, nil) }
        if flags & UInt32(V4L2_CTRL_FLAG_GRABBED) != 0 { return (EBUSY, nil) }
        if flags & UInt32(V4L2_CTRL_FLAG_DISABLED) != 0 { return (EINVAL, nil) }
        if control.type.low == V4L2_CTRL_TYPE_STRING.rawValue {
            let text = unsafe String(cString: item.string)
            let length = Int64(text.utf8.count)
            guard length >= control.minimum ?? 0, length <= control.maximum ?? 0 else { return (ERANGE, nil) }
            return (0, .text(text))
        }
        guard control.dimensions == nil, control.isNumber else { return (EINVAL, nil) }
        let is64 = control.type.low == V4L2_CTRL_TYPE_INTEGER64.rawValue
        return control.validated(unsafe is64 ? item.value64 : Int64(item.value))
    }
}

extension ControlValue {
    /// The number of it in the driver interface; 0 for text.
    fileprivate var whole: Int64 {
        switch self {
        case .integer(let number): number
        case .boolean(let isOn): isOn ? 1 : 0
        case .text: 0
        }
    }
}

extension RecordedControl {
    /// Whether its value is one number.
    fileprivate var isNumber: Bool {
        let types = [
            V4L2_CTRL_TYPE_INTEGER, V4L2_CTRL_TYPE_BOOLEAN, V4L2_CTRL_TYPE_MENU, V4L2_CTRL_TYPE_INTEGER64,
            V4L2_CTRL_TYPE_BITMASK, V4L2_CTRL_TYPE_INTEGER_MENU, V4L2_CTRL_TYPE_BUTTON,
        ]
        return dimensions == nil && types.contains { $0.rawValue == type.low }
    }

    /// What the kernel makes of `number`, or the error that it refuses it with.
    fileprivate func validated(_ number: Int64) -> (CInt, ControlValue?) {
        switch type.low {
        case V4L2_CTRL_TYPE_BOOLEAN.rawValue: return (0, .boolean(number != 0))
        case V4L2_CTRL_TYPE_BUTTON.rawValue: return (0, .integer(0))
        case V4L2_CTRL_TYPE_BITMASK.rawValue:
            return (0, .integer(number & Int64(UInt32(truncatingIfNeeded: maximum ?? 0))))
        case V4L2_CTRL_TYPE_MENU.rawValue, V4L2_CTRL_TYPE_INTEGER_MENU.rawValue:
            guard number >= minimum ?? 0, number <= maximum ?? 0 else { return (ERANGE, nil) }
            return menu?.contains { $0.index == number } == true ? (0, .integer(number)) : (EINVAL, nil)
        default:
            let low = minimum ?? 0
            let inside = min(max(number, low), maximum ?? 0)
            let step = Int64(clamping: max(1, step ?? 1))
            // Towards the nearest step, as ROUND_TO_RANGE does it.
            let rounded = low &+ (inside &- low &+ step / 2) / step * step
            return (0, .integer(min(rounded, maximum ?? 0)))
        }
    }

    /// Writes `value` as the driver would; false where there is no room for it.
    fileprivate func give(_ value: ControlValue, _ item: inout v4l2_ext_control) -> Bool {
        if case .text(let text) = value {
            let bytes = Array(text.utf8) + [0]
            guard unsafe Int(item.size) >= bytes.count else { return false }
            for (index, byte) in bytes.enumerated() { unsafe item.string[index] = CChar(bitPattern: byte) }
        } else if type.low == V4L2_CTRL_TYPE_INTEGER64.rawValue {
            unsafe item.value64 = value.whole
        } else {
            unsafe item.value = Int32(truncatingIfNeeded: value.whole)
        }
        return true
    }
}
