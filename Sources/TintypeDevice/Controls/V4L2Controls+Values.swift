// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
package import TintypeModel

extension V4L2Controls {
    /// `VIDIOC_G_EXT_CTRLS`, or `VIDIOC_G_CTRL` if not supported.
    func read(_ control: ControlDescription) throws(ControlFailure) -> ControlValue {
        if control.type == .string { return .text(try readText(control)) }
        var items = unsafe [v4l2_ext_control()]
        unsafe items[0].id = control.id
        let code = unsafe transfer(.readControl, CV4L2_G_EXT_CTRLS, &items)
        guard code == ENOTTY else {
            guard code == 0 else { throw ControlFailure(.readControl, code: code) }
            return unsafe Self.value(of: items[0], control.type)
        }
        var older = v4l2_control()
        older.id = control.id
        let olderCode = call(.readControl, CV4L2_G_CTRL, &older)
        guard olderCode == 0 else { throw ControlFailure(.readControl, code: olderCode) }
        return Self.value(of: older.value, control.type)
    }

    /// `VIDIOC_S_EXT_CTRLS`, or `VIDIOC_S_CTRL` if not supported.
    func write(_ settings: [ControlSetting]) throws(ControlFailure) -> [ControlValue] {
        if let setting = settings.first, setting.control.type == .string {
            return [.text(try writeText(setting.value.description, setting.control))]
        }
        var items = unsafe settings.map { setting in unsafe Self.item(setting) }
        let code = unsafe transfer(.writeControl, CV4L2_S_EXT_CTRLS, &items)
        if code == ENOTTY, let only = settings.first, settings.count == 1 {
            var older = v4l2_control(id: only.control.id, value: Int32(truncatingIfNeeded: only.value.number))
            let olderCode = call(.writeControl, CV4L2_S_CTRL, &older)
            guard olderCode == 0 else { throw ControlFailure(.writeControl, code: olderCode) }
            return [Self.value(of: older.value, only.control.type)]
        }
        guard code == 0 else { throw ControlFailure(.writeControl, code: code) }
        return settings.indices.map { unsafe Self.value(of: items[$0], settings[$0].control.type) }
    }

    private static func item(_ setting: ControlSetting) -> v4l2_ext_control {
        var item = unsafe v4l2_ext_control()
        unsafe item.id = setting.control.id
        if setting.control.type == .integer64 {
            unsafe item.value64 = setting.value.number
        } else {
            unsafe item.value = Int32(truncatingIfNeeded: setting.value.number)
        }
        return unsafe item
    }

    private func transfer(_ call: DriverCalls.Call, _ request: UInt, _ items: inout [v4l2_ext_control]) -> CInt {
        var list = unsafe v4l2_ext_controls()
        unsafe list.which = (items.first?.id ?? 0) & ControlOrder.classMask
        unsafe list.count = UInt32(items.count)
        return unsafe items.withUnsafeMutableBufferPointer { items in
            unsafe list.controls = items.baseAddress
            return unsafe self.call(call, request, &list)
        }
    }

    private func readText(_ control: ControlDescription) throws(ControlFailure) -> String {
        // No driver has more than a page.
        var text = [UInt8](repeating: 0, count: Int(min(max(0, control.maximum), 4095)) + 1)
        let code = transferText(.readControl, CV4L2_G_EXT_CTRLS, control.id, &text)
        guard code == 0 else { throw ControlFailure(.readControl, code: code) }
        return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }

    private func writeText(_ value: String, _ control: ControlDescription) throws(ControlFailure) -> String {
        var text = Array(value.utf8) + [0]
        let code = transferText(.writeControl, CV4L2_S_EXT_CTRLS, control.id, &text)
        guard code == 0 else { throw ControlFailure(.writeControl, code: code) }
        return value
    }

    private func transferText(_ call: DriverCalls.Call, _ request: UInt, _ id: UInt32, _ text: inout [UInt8]) -> CInt {
        unsafe text.withUnsafeMutableBytes { bytes in
            var items = unsafe [v4l2_ext_control()]
            unsafe items[0].id = id
            unsafe items[0].size = UInt32(bytes.count)
            unsafe items[0].string = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            return unsafe transfer(call, request, &items)
        }
    }

    private static func value(of item: v4l2_ext_control, _ type: ControlType) -> ControlValue {
        unsafe type == .integer64 ? .integer(item.value64) : value(of: item.value, type)
    }

    private static func value(of number: Int32, _ type: ControlType) -> ControlValue {
        switch type {
        case .boolean, .button: .boolean(number != 0)
        case .bitmask: .integer(Int64(UInt32(bitPattern: number)))
        default: .integer(Int64(number))
        }
    }
}

extension ControlValue {
    /// 0 for text.
    package var number: Int64 {
        switch self {
        case .integer(let number): number
        case .boolean(let isOn): isOn ? 1 : 0
        case .text: 0
        }
    }
}
