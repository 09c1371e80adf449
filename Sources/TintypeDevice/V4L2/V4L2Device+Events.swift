// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc

extension V4L2Device {
    /// More than any driver queues; a queue that does not end is an error.
    private static let eventLimit = 1024

    /// `VIDIOC_DQEVENT`, called until no event is pending.
    package func events() throws(DeviceError) -> [DeviceEvent] {
        var list: [DeviceEvent] = []
        for _ in 0..<Self.eventLimit {
            var event = v4l2_event()
            switch node.attempt(.event, CV4L2_DQEVENT, &event) {
            case 0: break
            // ENOENT: no event is pending.
            case ENOENT, EAGAIN: return list
            case let code: throw DeviceError(operation: "VIDIOC_DQEVENT", path: node.path, errno: code)
            }
            if let event = DeviceEvent(event) { list.append(event) }
        }
        throw .system(operation: "VIDIOC_DQEVENT", path: node.path, errno: EOVERFLOW)
    }

    /// `VIDIOC_SUBSCRIBE_EVENT` until the node is closed, idempotent; false if the driver does not support the event.
    ///
    /// `id` is that of an input or control; 0 for types without one.
    @discardableResult
    func subscribe(to type: Int32, id: UInt32 = 0) -> Bool {
        var subscription = v4l2_event_subscription()
        subscription.type = UInt32(type)
        subscription.id = id
        return node.attempt(.subscribe, CV4L2_SUBSCRIBE_EVENT, &subscription) == 0
    }
}

extension DeviceEvent {
    init?(_ event: v4l2_event) {
        switch CInt(event.type) {
        case V4L2_EVENT_SOURCE_CHANGE: self = .sourceChanged
        case V4L2_EVENT_EOS: self = .endOfStream
        case V4L2_EVENT_CTRL:
            let control = unsafe event.u.ctrl
            let valueBit = UInt32(V4L2_EVENT_CTRL_CH_VALUE)
            guard control.changes != 0 else { return nil }
            let value: Int64? =
                switch control.type {
                // Events about flags or ranges only need not include the value.
                case _ where control.changes & valueBit == 0: nil
                case V4L2_CTRL_TYPE_INTEGER64.rawValue: control.value64
                case ..<V4L2_CTRL_COMPOUND_TYPES.rawValue: Int64(control.value)
                default: 0
                }
            self = .controlChanged(id: event.id, value: value, isRedefined: control.changes & ~valueBit != 0)
        default: return nil
        }
    }
}
