// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
package import TintypeModel

/// Controls of a V4L2 node.
///
/// Source: "Extended Controls API" and "Querying Controls" of the V4L2 documentation. A driver without the former
/// (ENOTTY), of before Linux 4.0, has no controls here.
@safe struct V4L2Controls: ControlDriver {
    /// Issues an ioctl, retrying on EINTR; returns 0 or the errno.
    typealias Attempt = (DriverCalls.Call, UInt, UnsafeMutableRawPointer) -> CInt

    /// Limits for lists of broken drivers that never end.
    private static let listLimit = 2048
    private static let menuLimit: Int64 = 1024
    private static let userClass = UInt32(V4L2_CID_BASE)..<UInt32(V4L2_CID_LASTP1)
    /// More than the camera class has, from `V4L2_CID_CAMERA_CLASS_BASE`.
    private static let cameraControls: UInt32 = 64

    let path: String
    let attempt: Attempt
    let subscribe: (UInt32) -> Void

    func call<T>(_ call: DriverCalls.Call, _ request: UInt, _ argument: inout T) -> CInt {
        unsafe withUnsafeMutablePointer(to: &argument) { argument in
            unsafe attempt(call, request, UnsafeMutableRawPointer(argument))
        }
    }

    func watch(_ id: UInt32) { subscribe(id) }

    /// `VIDIOC_QUERY_EXT_CTRL` and `VIDIOC_QUERYMENU`.
    func list() throws(DeviceError) -> [ControlDescription] {
        var list: [ControlDescription] = []
        var titles: [UInt32: String] = [:]
        var last: UInt32 = 0
        for _ in 0..<Self.listLimit {
            let next = last | UInt32(V4L2_CTRL_FLAG_NEXT_CTRL) | UInt32(V4L2_CTRL_FLAG_NEXT_COMPOUND)
            let (code, query) = self.query(next)
            // EINVAL: the end of the list; ENOTTY: a device without controls.
            if code == EINVAL || code == ENOTTY { break }
            if code != 0 {
                try throwIfGone(ControlFailure(.queryControl, code: code))
                try completeByNumber(&list, titles)
                break
            }
            guard query.id > last else { break }
            last = query.id
            if query.isHeading {
                titles[query.id & ControlOrder.classMask] = query.title
            } else {
                list.append(description(of: query, titles[query.id & ControlOrder.classMask]))
            }
        }
        return list
    }

    /// Completes a list by id: cheap webcams fail to enumerate past a control that they do not answer for.
    private func completeByNumber(_ list: inout [ControlDescription], _ titles: [UInt32: String]) throws(DeviceError) {
        let present = Set(list.map(\.id))
        let camera = UInt32(bitPattern: V4L2_CID_CAMERA_CLASS_BASE)
        let numbers = [Self.userClass, camera..<camera + Self.cameraControls].joined()
        for id in numbers where !present.contains(id) {
            let (code, query) = self.query(id)
            try throwIfGone(ControlFailure(.queryControl, code: code))
            if code == 0 { list.append(description(of: query, titles[id & ControlOrder.classMask])) }
        }
        list.removeAll { $0.has(.disabled) }
    }

    func describe(_ known: ControlDescription) throws(ControlFailure) -> ControlDescription {
        let (code, query) = self.query(known.id)
        guard code == 0 else { throw ControlFailure(.queryControl, code: code) }
        let isSameMenu = query.minimum == known.minimum && query.maximum == known.maximum && !known.menu.isEmpty
        var control = description(of: query, nil, menu: isSameMenu ? known.menu : nil)
        control.controlClass = known.controlClass
        return control
    }

    private func query(_ id: UInt32) -> (code: CInt, control: v4l2_query_ext_ctrl) {
        var query = v4l2_query_ext_ctrl()
        query.id = id
        let code = call(.queryControl, CV4L2_QUERY_EXT_CTRL, &query)
        return (code, query)
    }

    private func description(
        of query: v4l2_query_ext_ctrl,
        _ classTitle: String?,
        menu known: [ControlMenuItem]? = nil
    ) -> ControlDescription {
        let type = query.controlType
        return ControlDescription(
            id: query.id,
            title: query.title,
            controlClass: ControlName.key(of: classTitle ?? query.classTitle),
            type: type,
            minimum: query.minimum,
            maximum: query.maximum,
            step: query.step,
            defaultValue: query.default_value,
            menu: known ?? menu(of: query, type),
            elements: query.elements,
            flags: query.controlFlags
        )
    }

    /// `VIDIOC_QUERYMENU`; indices that the driver rejects are not items of this device.
    private func menu(of query: v4l2_query_ext_ctrl, _ type: ControlType) -> [ControlMenuItem] {
        guard type == .menu || type == .integerMenu, query.minimum >= 0, query.maximum >= query.minimum else {
            return []
        }
        var items: [ControlMenuItem] = []
        for offset in 0...min(query.maximum - query.minimum, Self.menuLimit) {
            let index = query.minimum + offset
            var item = v4l2_querymenu()
            item.id = query.id
            item.index = UInt32(truncatingIfNeeded: index)
            guard call(.queryControl, CV4L2_QUERYMENU, &item) == 0 else { continue }
            let name = type == .menu ? V4L2Node.text(of: item.name) : "\(item.value)"
            items.append(ControlMenuItem(index: index, name: name))
        }
        return items
    }
}

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

/// Description of a control, from `VIDIOC_QUERY_EXT_CTRL`.
extension v4l2_query_ext_ctrl {
    var title: String { V4L2Node.text(of: name) }

    /// Empty if not an array.
    private var dimensions: [UInt32] { Array([dims.0, dims.1, dims.2, dims.3].prefix(Int(nr_of_dims))) }
    var isHeading: Bool { type == V4L2_CTRL_TYPE_CTRL_CLASS.rawValue }
    var controlType: ControlType { dimensions.isEmpty ? elementType : .compound }

    /// Type of one element; `compound` for structures and for the small integers that only occur in arrays.
    private var elementType: ControlType {
        switch type {
        case V4L2_CTRL_TYPE_INTEGER.rawValue: .integer
        case V4L2_CTRL_TYPE_INTEGER64.rawValue: .integer64
        case V4L2_CTRL_TYPE_BOOLEAN.rawValue: .boolean
        case V4L2_CTRL_TYPE_MENU.rawValue: .menu
        case V4L2_CTRL_TYPE_INTEGER_MENU.rawValue: .integerMenu
        case V4L2_CTRL_TYPE_BITMASK.rawValue: .bitmask
        case V4L2_CTRL_TYPE_BUTTON.rawValue: .button
        case V4L2_CTRL_TYPE_STRING.rawValue: .string
        default: .compound
        }
    }

    var elements: ControlElements? {
        guard controlType == .compound else { return nil }
        let name =
            switch type {
            case V4L2_CTRL_TYPE_U8.rawValue: "u8"
            case V4L2_CTRL_TYPE_U16.rawValue: "u16"
            case V4L2_CTRL_TYPE_U32.rawValue: "u32"
            case V4L2_CTRL_TYPE_AREA.rawValue: "area"
            default: elementType == .compound ? "0x" + String(type, radix: 16) : elementType.rawValue
            }
        return ControlElements(type: name, bytes: elem_size, count: elems, dimensions: dimensions)
    }

    var controlFlags: [ControlFlag] { ControlFlag.allCases.filter { flags & UInt32($0.bit) != 0 } }

    /// Default title of its class, for uvcvideo before Linux 5.13, which reports none.
    var classTitle: String {
        id & ControlOrder.classMask == V4L2_CTRL_CLASS_CAMERA ? "Camera Controls" : "User Controls"
    }
}

extension ControlFlag {
    fileprivate var bit: Int32 {
        switch self {
        case .disabled: V4L2_CTRL_FLAG_DISABLED
        case .grabbed: V4L2_CTRL_FLAG_GRABBED
        case .readOnly: V4L2_CTRL_FLAG_READ_ONLY
        case .writeOnly: V4L2_CTRL_FLAG_WRITE_ONLY
        case .update: V4L2_CTRL_FLAG_UPDATE
        case .inactive: V4L2_CTRL_FLAG_INACTIVE
        case .volatile: V4L2_CTRL_FLAG_VOLATILE
        case .executeOnWrite: V4L2_CTRL_FLAG_EXECUTE_ON_WRITE
        case .modifyLayout: V4L2_CTRL_FLAG_MODIFY_LAYOUT
        }
    }
}
