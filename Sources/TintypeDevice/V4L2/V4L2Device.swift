// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
package import TintypeModel
internal import TintypeSystem

/// A camera behind a V4L2 node, by the single-planar or the multi-planar API.
///
/// Source: the kernel's "Linux Media Infrastructure userspace API", part I (Video for Linux API).
package final class V4L2Device: CaptureDevice {
    package let identity: CameraIdentity
    let node: V4L2Node
    let isMultiPlanar: Bool
    var granted: GrantedFormat?
    /// The planes of the granted format that have a buffer each; none where a frame is in one buffer.
    var separatePlanes: [PictureLayout.Plane] = []
    /// The name of the input that was selected; nil for a device that has none.
    var inputName: String?
    package internal(set) var tellsSourceChanges = false
    /// The size of the signal that the input receives; nil for cameras, which have none.
    var signalSize: FrameSize?
    var pool: BufferPool?
    package var clock: FrameClock
    var lastSequence: UInt32?

    /// Opens the node at `path`.
    ///
    /// Blocks in the driver. What `known` says besides the driver stays in the identity: serial number, port and the like.
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

    /// `V4L2_BUF_TYPE_VIDEO_CAPTURE` or its multi-planar twin.
    var bufferType: v4l2_buf_type { isMultiPlanar ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_CAPTURE }
}
