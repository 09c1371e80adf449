// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc

/// `VIDIOC_QUERYCAP`.
struct V4L2Capability {
    private var raw = v4l2_capability()

    init(_ node: borrowing V4L2Node) throws(DeviceError) {
        switch node.attempt(.queryCapability, CV4L2_QUERYCAP, &raw) {
        case 0: break
        // Returned by drivers of other devices and for regular files.
        case ENOTTY, EINVAL: throw .notVideo(path: node.path)
        case let code: throw DeviceError(operation: "VIDIOC_QUERYCAP", path: node.path, errno: code)
        }
    }

    var driver: String { V4L2Node.text(of: raw.driver) }
    var card: String { V4L2Node.text(of: raw.card) }
    var answer: NodeAnswer {
        NodeAnswer(card: card, driver: driver, busInfo: V4L2Node.text(of: raw.bus_info), isCapture: isCapture)
    }

    /// `device_caps` of this node: `capabilities` are those of the whole device.
    private var flags: UInt32 {
        raw.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0 ? raw.device_caps : raw.capabilities
    }

    var isMultiPlanar: Bool {
        flags & UInt32(V4L2_CAP_VIDEO_CAPTURE) == 0 && flags & UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0
    }

    /// True for a camera: captures video (not metadata, output or memory-to-memory), streams, and needs no pipeline.
    var isCapture: Bool { capturesVideo && !needsPipeline }

    /// True if userspace, such as libcamera, must first configure an image processor in front of the node.
    ///
    /// `V4L2_CAP_IO_MC` indicates that, but is newer than some of these drivers.
    var needsPipeline: Bool {
        capturesVideo && (flags & UInt32(V4L2_CAP_IO_MC) != 0 || Self.processors.contains(driver))
    }

    private var capturesVideo: Bool {
        let captures = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE)
        let codecs = UInt32(V4L2_CAP_VIDEO_M2M) | UInt32(V4L2_CAP_VIDEO_M2M_MPLANE)
        return flags & captures != 0 && flags & codecs == 0 && flags & UInt32(V4L2_CAP_STREAMING) != 0
    }

    /// `driver` of image processors whose capture nodes deliver nothing by themselves.
    private static let processors: Set = ["bcm2835-isp", "pispbe", "rkisp1", "ipu3-imgu", "ipu3-cio2", "isys"]
}
