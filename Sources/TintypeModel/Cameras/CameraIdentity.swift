// SPDX-License-Identifier: Apache-2.0

/// Which camera this is: what the driver and udev say of it.
///
/// Source: `VIDIOC_QUERYCAP`, /sys/class/video4linux and the links below /dev/v4l.
package struct CameraIdentity: Hashable, Sendable, Codable {
    /// The node, as in `/dev/video0`; `pattern` for the built-in test pattern.
    package var path: String
    /// The name of the device (`card` of `v4l2_capability`).
    package var card: String
    /// The name of the driver, as in `uvcvideo`.
    package var driver: String
    /// Where it is attached, as in `usb-0000:00:14.0-2`.
    package var busInfo: String
    /// Its links in /dev/v4l/by-id, whole paths, sorted: stable for devices with a serial number.
    package var byID: [String]
    /// Its links in /dev/v4l/by-path, whole paths, sorted: stable for a port.
    package var byPath: [String]

    /// An identity of these parts.
    package init(
        path: String,
        card: String,
        driver: String,
        busInfo: String,
        byID: [String] = [],
        byPath: [String] = []
    ) {
        self.path = path
        self.card = card
        self.driver = driver
        self.busInfo = busInfo
        self.byID = byID
        self.byPath = byPath
    }
}
