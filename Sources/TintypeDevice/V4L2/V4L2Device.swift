// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
package import TintypeModel
internal import TintypeSystem

/// A camera behind a V4L2 node, with the single-planar or the multi-planar API.
///
/// Source: the kernel's "Linux Media Infrastructure userspace API", part I (Video for Linux API).
package final class V4L2Device: CaptureDevice {
    package let identity: CameraIdentity
    let node: V4L2Node
    let isMultiPlanar: Bool
    var granted: GrantedFormat?
    /// Planes with separate buffers; empty if a frame is in one buffer.
    var separatePlanes: [PictureLayout.Plane] = []
    /// Nil for a device without inputs.
    var inputName: String?
    package internal(set) var tellsSourceChanges = false
    /// Nil for cameras.
    var signalSize: FrameSize?
    var pool: BufferPool?
    package var clock: FrameClock
    var lastSequence: UInt32?

    /// Blocks in the driver.
    ///
    /// Members of `known` that the driver does not report, such as serial number and port, are kept.
    package convenience init(path: String, known: CameraIdentity? = nil, calls: DriverCalls) throws(DeviceError) {
        NamedThread.assertMayBlock("opening \(path)")
        try self.init(V4L2Node(path: path, calls: calls), known: known)
    }

    init(_ node: consuming V4L2Node, known: CameraIdentity? = nil) throws(DeviceError) {
        let path = node.path
        let capability = try V4L2Capability(node)
        guard !capability.needsPipeline else {
            throw .needsPipeline(path: path, card: capability.card, driver: capability.driver)
        }
        guard capability.isCapture else { throw .notCapture(path: path, card: capability.card) }
        isMultiPlanar = capability.isMultiPlanar
        var identity = known ?? CameraIdentity(path: path, card: "", driver: "", busInfo: "")
        identity.path = path
        self.identity = capability.answer.completing(identity)
        self.node = node
        clock = FrameClock(origin: DeviceFolders.machine.stampOrigin(ofDriver: capability.driver))
    }

    deinit { stop() }

    package var descriptor: CInt { node.descriptor }

    var bufferType: v4l2_buf_type { isMultiPlanar ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_CAPTURE }

    package var controls: any ControlDriver {
        unsafe V4L2Controls(
            path: node.path,
            attempt: { call, request, argument in unsafe self.node.attempt(call, request, argument) },
            subscribe: { id in self.subscribe(to: V4L2_EVENT_CTRL, id: id) }
        )
    }

    package func exposureTime() -> Duration? {
        let values = try? ControlReader([ControlNumber.exposureAbsolute], of: self).read()
        return values.flatMap(CameraReading.exposureTime)
    }

    /// Sensor orientation (`VIDIOC_G_INPUT`, `VIDIOC_ENUMINPUT`), and flipping in the driver (`VIDIOC_QUERYCTRL`).
    package func makeConverter(for granted: GrantedFormat) throws(DeviceError) -> sending PixelConverter? {
        let status = currentInput.flatMap { description(of: $0) }?.status ?? 0
        let controls = ConverterProfile.knownControls.map { UInt32($0) }.filter { id in
            var control = v4l2_queryctrl()
            control.id = id
            let code = node.attempt(.queryControl, CV4L2_QUERYCTRL, &control)
            return code == 0 && control.flags & UInt32(V4L2_CTRL_FLAG_DISABLED) == 0
        }
        let profile = ConverterProfile(identity, path: node.path, inputStatus: status, controls: Set(controls))
        return try PixelConverter.make(for: granted.layout, profile: profile)
    }
}

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
