// SPDX-License-Identifier: Apache-2.0

/// The answers of a camera to the ioctls that ask and change nothing: enough to try formats and controls without the
/// camera.
///
/// What is missing the driver refused, with the error in ``refusals``, or it was not asked.
package struct DeviceRecord: Hashable, Codable, WireObject {
    package var comment: String?
    package var recordedBy: String?
    package var driver: String
    package var card: String
    package var busInfo: String
    package var version: HexNumber?
    package var capabilities: HexNumber
    package var deviceCapabilities: HexNumber?
    package var usb: String?
    package var manufacturer: String?
    package var product: String?
    package var serial: String?
    package var priority: UInt32?
    package var input: UInt32?
    package var inputs: [RecordedInput]?
    package var standard: HexNumber?
    package var receivedStandard: HexNumber?
    package var standards: [RecordedStandard]?
    package var timings: RecordedTimings?
    package var receivedTimings: RecordedTimings?
    package var format: RecordedPicture?
    package var formats: [RecordedFormat]
    package var rate: RecordedRate?
    package var pixelAspect: Fraction?
    package var rectangles: [RecordedRectangle]?
    package var controls: [RecordedControl]
    package var refusals: [String: Int]?

    /// A record of a device of which no more is known.
    package init(driver: String, card: String, busInfo: String, capabilities: HexNumber) {
        self.driver = driver
        self.card = card
        self.busInfo = busInfo
        self.capabilities = capabilities
        formats = []
        controls = []
    }

    /// The record without the serial number of the device, also where the device's names, its bus or a control have it.
    ///
    /// Drivers cut names, `card` after 31 bytes, so the begin of a serial number at the end of a text is one, too.
    /// One of fewer than four characters, as in `1`, names no device and would be found everywhere.
    package var withoutSerial: DeviceRecord {
        var record = self
        record.serial = nil
        guard let serial, serial.count >= 4 else { return record }
        func cleared(_ text: String) -> String { Self.clear(text, of: serial) }
        record.card = cleared(card)
        record.busInfo = cleared(busInfo)
        record.manufacturer = manufacturer.map(cleared)
        record.product = product.map(cleared)
        for index in controls.indices {
            if case .text(let text) = controls[index].value { record.controls[index].value = .text(cleared(text)) }
        }
        return record
    }

    private static func clear(_ text: String, of serial: String) -> String {
        let (letters, sought) = (Array(text), Array(serial.lowercased()))
        var (result, index) = ("", 0)
        while index < letters.count {
            // At the end of the text its begin will do.
            let length = min(sought.count, letters.count - index)
            let isFound = length >= 4 && zip(letters[index...], sought).allSatisfy { $0.lowercased() == String($1) }
            result += isFound ? "(serial number)" : String(letters[index])
            index += isFound ? length : 1
        }
        return result
    }

    package static let summary = "A camera's answers to the ioctls that ask and change nothing."
    package static let fields: [Field] = [
        Field("comment", \.comment, "Where the record comes from."),
        Field("recordedBy", \.recordedBy, "The program and its version; missing for a record written by hand."),
        Field("driver", \.driver, "The name of the driver."),
        Field("card", \.card, "The name of the device."),
        Field("busInfo", \.busInfo, "Where it is attached."),
        Field("version", \.version, "The version of the driver: 0x60189 is 6.1.137."),
        Field("capabilities", \.capabilities, "V4L2_CAP_* of the device."),
        Field("deviceCapabilities", \.deviceCapabilities, "V4L2_CAP_* of this node; missing for older drivers."),
        Field("usb", \.usb, "Vendor and product number of the USB device, as in 046d:082d."),
        Field("manufacturer", \.manufacturer, "The manufacturer of the USB device."),
        Field("product", \.product, "The product name that the USB device reports."),
        Field("serial", \.serial, "Serial number of the USB device; only if asked for."),
        Field("priority", \.priority, "V4L2_PRIORITY_*"),
        Field("input", \.input, "The input that is selected."),
        Field("inputs", \.inputs, "The inputs."),
        Field("standard", \.standard, "The standard that is set (v4l2_std_id)."),
        Field("receivedStandard", \.receivedStandard, "The standards that fit the signal."),
        Field("standards", \.standards, "The standards of the selected input."),
        Field("timings", \.timings, "The timings that are set."),
        Field("receivedTimings", \.receivedTimings, "The timings of the signal."),
        Field("format", \.format, "The format that is set."),
        Field("formats", \.formats, "The formats, in the driver's order."),
        Field("rate", \.rate, "The rate that is set."),
        Field("pixelAspect", \.pixelAspect, "The shape of a pixel (VIDIOC_CROPCAP): 1/1 for square ones."),
        Field("rectangles", \.rectangles, "Crop and compose rectangles."),
        Field("controls", \.controls, "The controls and the headings of their classes, in the driver's order."),
        Field("refusals", \.refusals, "The ioctls that were refused, each with its errno."),
    ]
}
