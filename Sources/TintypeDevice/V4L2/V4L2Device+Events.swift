// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc

extension V4L2Device {
    /// More events than any driver queues; one that has no end is not believed.
    private static let eventLimit = 1024

    /// The ioctl is `VIDIOC_DQEVENT`, called until it says that none waits.
    package func events() throws(DeviceError) -> [DeviceEvent] {
        var list: [DeviceEvent] = []
        for _ in 0..<Self.eventLimit {
            var event = v4l2_event()
            switch node.attempt(.event, CV4L2_DQEVENT, &event) {
            case 0: break
            // ENOENT says that none waits.
            case ENOENT, EAGAIN: return list
            case let code: throw DeviceError(operation: "VIDIOC_DQEVENT", path: node.path, errno: code)
            }
            if let event = DeviceEvent(event) { list.append(event) }
        }
        throw .system(operation: "VIDIOC_DQEVENT", path: node.path, errno: EOVERFLOW)
    }

    /// Has the driver tell events of this type (`V4L2_EVENT_*`) from now on, for as long as the node is open.
    ///
    /// The ioctl is `VIDIOC_SUBSCRIBE_EVENT`; subscribing once more changes nothing.
    ///
    /// - Parameters:
    ///   - type: `V4L2_EVENT_SOURCE_CHANGE`, `V4L2_EVENT_CTRL` and so on.
    ///   - id: the input, or the control, that it is about; 0 where the type has none.
    /// - Returns: false where the driver has no such event.
    @discardableResult
    func subscribe(to type: Int32, id: UInt32 = 0) -> Bool {
        var subscription = v4l2_event_subscription()
        subscription.type = UInt32(type)
        subscription.id = id
        return node.attempt(.subscribe, CV4L2_SUBSCRIBE_EVENT, &subscription) == 0
    }
}

extension DeviceEvent {
    /// What the kernel's structure says; nil for an event that is ignored.
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
                // An event of flags or ranges alone need not carry the value.
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
