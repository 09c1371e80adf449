// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
package import TintypeModel

extension V4L2Controls {
    /// `VIDIOC_G_EXT_CTRLS`.
    func read(_ control: ControlDescription) throws(ControlFailure) -> ControlValue {
        if control.type == .string {
            // No driver has more than a page.
            var text = [UInt8](repeating: 0, count: Int(min(max(0, control.maximum), 4095)) + 1)
            try transferText(.readControl, control.id, &text)
            return .text(String(decoding: text.prefix { $0 != 0 }, as: UTF8.self))
        }
        var items = unsafe [v4l2_ext_control()]
        unsafe items[0].id = control.id
        let code = unsafe transfer(.readControl, &items)
        guard code == 0 else { throw ControlFailure(.readControl, code: code) }
        return unsafe Self.value(of: items[0], control.type)
    }

    /// `VIDIOC_S_EXT_CTRLS`.
    func write(_ settings: [ControlSetting]) throws(ControlFailure) -> [ControlValue] {
        if let setting = settings.first, setting.control.type == .string {
            let text = setting.value.description
            var bytes = Array(text.utf8) + [0]
            try transferText(.writeControl, setting.control.id, &bytes)
            return [.text(text)]
        }
        var items = unsafe settings.map { setting in unsafe Self.item(setting) }
        let code = unsafe transfer(.writeControl, &items)
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

    private func transfer(_ call: DriverCalls.Call, _ items: inout [v4l2_ext_control]) -> CInt {
        let request = call == .readControl ? CV4L2_G_EXT_CTRLS : CV4L2_S_EXT_CTRLS
        var list = unsafe v4l2_ext_controls()
        unsafe list.which = (items.first?.id ?? 0) & ControlOrder.classMask
        unsafe list.count = UInt32(items.count)
        return unsafe items.withUnsafeMutableBufferPointer { items in
            unsafe list.controls = items.baseAddress
            return unsafe self.call(call, request, &list)
        }
    }

    private func transferText(_ call: DriverCalls.Call, _ id: UInt32, _ text: inout [UInt8]) throws(ControlFailure) {
        let code: CInt = unsafe text.withUnsafeMutableBytes { bytes in
            var items = unsafe [v4l2_ext_control()]
            unsafe items[0].id = id
            unsafe items[0].size = UInt32(bytes.count)
            unsafe items[0].string = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            return unsafe transfer(call, &items)
        }
        guard code == 0 else { throw ControlFailure(call, code: code) }
    }

    private static func value(of item: v4l2_ext_control, _ type: ControlType) -> ControlValue {
        switch type {
        case .integer64: .integer(unsafe item.value64)
        case .boolean, .button: .boolean(unsafe item.value != 0)
        case .bitmask: .integer(Int64(UInt32(bitPattern: unsafe item.value)))
        default: .integer(Int64(unsafe item.value))
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
