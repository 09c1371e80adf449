// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import TintypeModel

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
