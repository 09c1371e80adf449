// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import Synchronization
internal import TintypeDevice
internal import TintypeModel

/// Gives a camera the priority of the configuration whenever it is opened, on the camera's thread.
final class PriorityClaim: Sendable {
    private let priority: DevicePriority
    private let logger: Logger
    private let isUnsupportedTold = Atomic(false)

    /// The claim of the camera that is called `name`.
    init(_ priority: DevicePriority, for name: String, logger: Logger) {
        self.priority = priority
        var logger = logger
        logger[metadataKey: "camera"] = "\(name)"
        self.logger = logger
    }

    /// Sets the priority of a device that was just opened.
    ///
    /// A driver without priorities is told once in the log. Throws that another program has a higher priority, or that the
    /// device is gone.
    func make(on device: V4L2Device) throws(DeviceError) {
        guard try !device.claim(priority), !isUnsupportedTold.exchange(true, ordering: .relaxed) else { return }
        let driver = device.identity.driver
        logger.warning(
            """
            the driver \(driver) has no priorities (VIDIOC_S_PRIORITY): other programs can change this camera. Remove the \
            key priority, or stop these programs
            """
        )
    }
}
