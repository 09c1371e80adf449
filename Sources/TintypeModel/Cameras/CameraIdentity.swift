// SPDX-License-Identifier: Apache-2.0

/// Which camera it is, as the driver, sysfs and udev tell it.
///
/// Card, driver and bus are those of `struct v4l2_capability` (`VIDIOC_QUERYCAP`), the links those that udev makes below
/// /dev/v4l, and what is of USB that of the device's folder in sysfs. Texts are as the device gives them, without white
/// space around them; those that are not known are empty or nil.
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
    ///
    /// Also a link that udev gave to another device of the same name: two such cameras have the same link here.
    package var byID: [String]
    /// Its links in /dev/v4l/by-path, whole paths, sorted: stable for a port.
    package var byPath: [String]
    /// The serial number of the USB device (`iSerial`).
    package var serial: String?
    /// Vendor and product number of the USB device in lower-case hexadecimal, as in `046d:082d`.
    package var usb: String?
    /// The port that the USB device is plugged into: bus, and the ports on the way, as in `1-2.3`.
    package var port: String?
    /// Who made the USB device (`iManufacturer`).
    package var manufacturer: String?
    /// What the USB device calls itself (`iProduct`).
    package var product: String?
    /// The node's folder in sysfs, as in `/sys/devices/…/video4linux/video0`.
    package var sysfsPath: String?

    /// An identity of these parts.
    package init(
        path: String,
        card: String,
        driver: String,
        busInfo: String,
        byID: [String] = [],
        byPath: [String] = [],
        serial: String? = nil,
        usb: String? = nil,
        port: String? = nil,
        manufacturer: String? = nil,
        product: String? = nil,
        sysfsPath: String? = nil
    ) {
        self.path = path
        self.card = card
        self.driver = driver
        self.busInfo = busInfo
        self.byID = byID
        self.byPath = byPath
        self.serial = serial
        self.usb = usb
        self.port = port
        self.manufacturer = manufacturer
        self.product = product
        self.sysfsPath = sysfsPath
    }
}

extension CameraIdentity: WireObject {
    package static let summary = "The identity of a camera, from the driver, sysfs and udev."

    package static let fields: [Field] = [
        Field("path", \.path, "The node, as in /dev/video0."),
        Field("card", \.card, "The name of the device."),
        Field("driver", \.driver, "The name of the driver."),
        Field("busInfo", \.busInfo, "Where it is attached."),
        Field(
            "byID",
            \.byID,
            "Links in /dev/v4l/by-id, even if udev gave such a link to another device of the same name."
        ),
        Field("byPath", \.byPath, "Links in /dev/v4l/by-path."),
        Field("serial", \.serial, "Serial number of the USB device; missing where it has none."),
        Field("usb", \.usb, "Vendor and product number of the USB device, as in 046d:082d."),
        Field("port", \.port, "Port of the USB device, as in 1-2.3."),
        Field("manufacturer", \.manufacturer, "The manufacturer of the USB device."),
        Field("product", \.product, "The product name that the USB device reports."),
        Field("sysfsPath", \.sysfsPath, "The node's folder in sysfs."),
    ]
}
