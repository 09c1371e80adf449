// SPDX-License-Identifier: Apache-2.0
import CV4L2
import Glibc

@testable import TintypeDevice

/// A driver's side of the control ioctls.
final class FakeControlIoctls {
    struct Item {
        var id: UInt32
        var type: v4l2_ctrl_type
        var name: String
        var minimum: Int64 = 0
        var maximum: Int64 = 100
        var value: Int64 = 0
        var text = ""
        /// errno of setting the control; 0 for success.
        var refusal: CInt = 0
        var isArray = false
        /// errno of querying the control; 0 for success.
        var silence: CInt = 0
    }

    var items: [Item]
    /// Answers every query with the first control.
    var isEndless = false
    /// errno of every call; 0 for success.
    var failure: CInt = 0
    private(set) var writes = 0

    init(_ items: [Item]) { self.items = items }

    var controls: V4L2Controls {
        unsafe V4L2Controls(
            path: "/dev/fake",
            attempt: { _, request, argument in unsafe self.answer(request, argument) },
            subscribe: { _ in }
        )
    }

    private func answer(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> CInt {
        if failure != 0 { return failure }
        switch request {
        case CV4L2_QUERY_EXT_CTRL: return unsafe query(argument.assumingMemoryBound(to: v4l2_query_ext_ctrl.self))
        case CV4L2_QUERYMENU: return unsafe queryMenu(argument.assumingMemoryBound(to: v4l2_querymenu.self))
        case CV4L2_G_EXT_CTRLS, CV4L2_S_EXT_CTRLS:
            let list = unsafe argument.assumingMemoryBound(to: v4l2_ext_controls.self)
            return unsafe transfer(list, isWrite: request == CV4L2_S_EXT_CTRLS)
        default: return ENOTTY
        }
    }

    private func find(_ id: UInt32) -> Item? {
        let next = UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
        if isEndless { return items.first }
        guard id & next != 0 else { return items.first { $0.id == id } }
        let last = id & 0x0FFF_FFFF
        return items.first { $0.id > last }
    }

    private func query(_ query: UnsafeMutablePointer<v4l2_query_ext_ctrl>) -> CInt {
        guard let item = unsafe find(query.pointee.id) else { return EINVAL }
        guard item.silence == 0 else { return item.silence }
        unsafe query.pointee.id = item.id
        unsafe query.pointee.type = item.type.rawValue
        unsafe query.pointee.minimum = item.minimum
        unsafe query.pointee.maximum = item.maximum
        unsafe query.pointee.step = 1
        unsafe (query.pointee.nr_of_dims, query.pointee.dims.0) = item.isArray ? (1, 3) : (0, 0)
        unsafe (query.pointee.elem_size, query.pointee.elems) = (4, item.isArray ? 3 : 1)
        unsafe V4L2Node.write(item.name, to: &query.pointee.name)
        return 0
    }

    /// Offers items 1 and 3 only, like the automatic exposure of a webcam.
    private func queryMenu(_ query: UnsafeMutablePointer<v4l2_querymenu>) -> CInt {
        let index = unsafe query.pointee.index
        guard index % 2 == 1 else { return EINVAL }
        unsafe V4L2Node.write("Item \(index)", to: &query.pointee.name)
        return 0
    }

    private func transfer(_ list: UnsafeMutablePointer<v4l2_ext_controls>, isWrite: Bool) -> CInt {
        if isWrite { writes += 1 }
        let count = unsafe Int(list.pointee.count)
        let all = unsafe UnsafeMutableBufferPointer(start: list.pointee.controls, count: count)
        var places: [Int] = []
        for index in all.indices {
            let id = unsafe all[index].id
            guard unsafe id & 0x0FFF_0000 == list.pointee.which else { return EINVAL }
            guard let place = items.firstIndex(where: { $0.id == id }) else { return EINVAL }
            if isWrite, items[place].refusal != 0 {
                unsafe list.pointee.error_idx = UInt32(count)
                return items[place].refusal
            }
            places.append(place)
        }
        for (index, place) in places.enumerated() { unsafe transfer(&all[index], &items[place], isWrite: isWrite) }
        return 0
    }

    private func transfer(_ control: inout v4l2_ext_control, _ item: inout Item, isWrite: Bool) {
        switch (item.type, isWrite) {
        case (V4L2_CTRL_TYPE_STRING, true): item.text = unsafe String(cString: control.string)
        case (V4L2_CTRL_TYPE_STRING, false):
            let size = unsafe Int(control.size)
            unsafe strncpy(control.string, item.text, size)
        case (V4L2_CTRL_TYPE_INTEGER64, true): item.value = unsafe control.value64
        case (V4L2_CTRL_TYPE_INTEGER64, false): unsafe control.value64 = item.value
        case (_, true): item.value = unsafe Int64(control.value)
        case (_, false): unsafe control.value = Int32(truncatingIfNeeded: item.value)
        }
    }
}
