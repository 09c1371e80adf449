// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc

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
        switch node.attempt(.queryCapability, CV4L2_QUERYCAP, &capability) {
        case 0: break
        // Another device's driver, or a file's filesystem, does not know it.
        case ENOTTY, EINVAL: throw .notVideo(path: node.path)
        case let code: throw DeviceError(operation: "VIDIOC_QUERYCAP", path: node.path, errno: code)
        }
        driver = V4L2Node.text(of: capability.driver)
        card = V4L2Node.text(of: capability.card)
        busInfo = V4L2Node.text(of: capability.bus_info)
        let hasOwnFlags = capability.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
        flags = hasOwnFlags ? capability.device_caps : capability.capabilities
    }

    var answer: NodeAnswer { NodeAnswer(card: card, driver: driver, busInfo: busInfo, isCapture: isCapture) }

    var isMultiPlanar: Bool {
        flags & UInt32(V4L2_CAP_VIDEO_CAPTURE) == 0 && flags & UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0
    }

    /// Whether it is a camera: it captures video (not metadata, not output, not memory to memory), can stream, and needs
    /// no other program to set up what is before it.
    var isCapture: Bool { capturesVideo && !needsPipeline }

    /// Whether it is one of the nodes behind a sensor and an image processor that a program has to set up first, as
    /// libcamera does.
    ///
    /// `V4L2_CAP_IO_MC` says so, and is younger than some of the drivers that need it.
    var needsPipeline: Bool {
        capturesVideo && (flags & UInt32(V4L2_CAP_IO_MC) != 0 || Self.processors.contains(driver))
    }

    private var capturesVideo: Bool {
        let captures = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE)
        let codecs = UInt32(V4L2_CAP_VIDEO_M2M) | UInt32(V4L2_CAP_VIDEO_M2M_MPLANE)
        return flags & captures != 0 && flags & codecs == 0 && flags & UInt32(V4L2_CAP_STREAMING) != 0
    }

    /// Drivers of image processors, whose capture nodes give nothing without the others (`driver` of
    /// `v4l2_capability`).
    private static let processors: Set = ["bcm2835-isp", "pispbe", "rkisp1", "ipu3-imgu", "ipu3-cio2", "isys"]
}
