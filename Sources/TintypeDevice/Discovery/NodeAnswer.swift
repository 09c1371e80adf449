// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Answer of a node to `VIDIOC_QUERYCAP`.
package struct NodeAnswer: Hashable, Sendable {
    package var card: String
    package var driver: String
    package var busInfo: String
    /// True for a video capture device that supports streaming.
    package var isCapture: Bool

    /// Opens, queries (`VIDIOC_QUERYCAP`) and closes a node, which does not turn on the camera's light.
    ///
    /// Blocks in the driver.
    package static func ask(_ path: String, _ calls: DriverCalls) throws(DeviceError) -> NodeAnswer {
        try V4L2Capability(V4L2Node(path: path, calls: calls)).answer
    }

    /// Replaces data from sysfs by the driver's own.
    func completing(_ identity: CameraIdentity) -> CameraIdentity {
        var identity = identity
        identity.card = card
        identity.driver = driver
        identity.busInfo = busInfo
        return identity
    }
}
