// SPDX-License-Identifier: Apache-2.0

/// Card, driver and bus from `VIDIOC_QUERYCAP`, links of udev below /dev/v4l, USB properties from sysfs.
///
/// Texts are trimmed of white space; unknown ones are empty or nil.
package struct CameraIdentity: Hashable, Codable, WireObject {
    package var path: String
    package var card: String
    package var driver: String
    package var busInfo: String
    package var byID: [String] = []
    package var byPath: [String] = []
    package var serial: String?
    package var usb: String?
    package var port: String?
    package var manufacturer: String?
    package var product: String?
    package var sysfsPath: String?

    package static let summary = "The identity of a camera, from the driver, sysfs and udev."
    package static let fields: [Field] = [
        Field("path", \.path, "The node, as in /dev/video0."),
        Field("card", \.card, "The name of the device."),
        Field("driver", \.driver, "The name of the driver."),
        Field("busInfo", \.busInfo, "Where it is attached."),
        Field("byID", \.byID, "Links in /dev/v4l/by-id, even if udev gave the same link to another device."),
        Field("byPath", \.byPath, "Links in /dev/v4l/by-path."),
        Field("serial", \.serial, "Serial number of the USB device; missing where it has none."),
        Field("usb", \.usb, "Vendor and product number of the USB device, as in 046d:082d."),
        Field("port", \.port, "Port of the USB device, as in 1-2.3."),
        Field("manufacturer", \.manufacturer, "The manufacturer of the USB device."),
        Field("product", \.product, "The product name that the USB device reports."),
        Field("sysfsPath", \.sysfsPath, "The node's folder in sysfs."),
    ]
}

extension CameraIdentity {
    package init(path: String, card: String, driver: String, busInfo: String) {
        (self.path, self.card, self.driver, self.busInfo) = (path, card, driver, busInfo)
    }
}
