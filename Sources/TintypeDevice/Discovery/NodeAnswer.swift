// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// What a node answers when it is asked what it is.
package struct NodeAnswer: Hashable, Sendable {
    /// The name of the device.
    package var card: String
    /// The name of the driver.
    package var driver: String
    /// Where it is attached.
    package var busInfo: String
    /// Whether it captures video and can stream.
    package var isCapture: Bool

    /// Opens the node, asks it and closes it: no camera's light goes on.
    ///
    /// Blocks in the driver. The ioctl is `VIDIOC_QUERYCAP`.
    package static func ask(_ path: String, _ calls: DriverCalls) throws(DeviceError) -> NodeAnswer {
        try V4L2Capability(V4L2Node(path: path, calls: calls)).answer
    }

    /// `identity` with what the driver says itself in the place of what sysfs tells.
    func completing(_ identity: CameraIdentity) -> CameraIdentity {
        var identity = identity
        identity.card = card
        identity.driver = driver
        identity.busInfo = busInfo
        return identity
    }
}
