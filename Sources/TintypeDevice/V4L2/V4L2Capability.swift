// SPDX-License-Identifier: Apache-2.0
internal import CV4L2

/// What a node says of itself.
///
/// The ioctl is `VIDIOC_QUERYCAP`.
struct V4L2Capability {
    let driver: String
    let card: String
    let busInfo: String
    /// What this node can do: `device_caps`, not the `capabilities` of the whole device, which has other nodes too.
    private let flags: UInt32

    init(_ node: borrowing V4L2Node) throws(DeviceError) {
        var capability = v4l2_capability()
        try node.perform(.queryCapability, CV4L2_QUERYCAP, &capability)
        driver = V4L2Node.text(of: capability.driver)
        card = V4L2Node.text(of: capability.card)
        busInfo = V4L2Node.text(of: capability.bus_info)
        let hasOwnFlags = capability.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
        flags = hasOwnFlags ? capability.device_caps : capability.capabilities
    }

    var isMultiPlanar: Bool {
        flags & UInt32(V4L2_CAP_VIDEO_CAPTURE) == 0 && flags & UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0
    }

    /// Whether it captures video (not metadata, not output, not memory to memory) and can stream.
    var isCapture: Bool {
        let captures = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE)
        return flags & captures != 0 && flags & UInt32(V4L2_CAP_STREAMING) != 0
    }
}
