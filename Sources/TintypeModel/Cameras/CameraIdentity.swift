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

package struct CameraList: Equatable, Codable, WireObject {
    package var cameras: [CameraStatus]
    package var unconfigured: [UnconfiguredCamera]?

    package init(cameras: [CameraStatus], unconfigured: [UnconfiguredCamera]? = nil) {
        (self.cameras, self.unconfigured) = (cameras, unconfigured)
    }

    package static let summary = "Every configured or discovered camera, by name."
    package static let fields: [Field] = [
        Field("cameras", \.cameras, "The cameras."),
        Field("unconfigured", \.unconfigured, "Devices that no camera matches alone; missing without a role for all."),
    ]
}

package struct UnconfiguredCamera: Equatable, Codable, WireObject {
    package var identity: CameraIdentity
    package var authorization: CameraAuthorization
    package var match: CameraMatch?

    /// `match` matches none of the other present devices.
    package init(identity: CameraIdentity, authorization: CameraAuthorization, match: CameraMatch?) {
        (self.identity, self.authorization, self.match) = (identity, authorization, match)
    }

    package static let summary = "A capture device that no camera of the configuration matches."
    package static let fields: [Field] = [
        Field("identity", \.identity), Field("authorization", \.authorization), Field("match", \.match),
    ]
}

/// Names of cameras in the configuration, in the API and as folders of the spool.
package enum CameraName {
    package static let remedy = "Use 1 to 64 of a-z, 0-9, \".\", \"_\" and \"-\", the first a letter or a digit."

    /// True if `name` is 1 to 64 of `a-z`, `0-9`, `.`, `_` and `-` and begins with a letter or a digit.
    package static func isValid(_ name: String) -> Bool {
        let bytes = name.utf8
        guard let first = bytes.first, isLetterOrDigit(first), bytes.count <= 64 else { return false }
        return bytes.allSatisfy { isLetterOrDigit($0) || ".-_".utf8.contains($0) }
    }

    /// Only element of `names`; throws `camera-not-found` with the remedy `plugging` for none, or `camera-ambiguous`
    /// with that of `naming` for the first of several.
    package static func only(
        of names: [String],
        orElse plugging: String,
        _ naming: (String) -> String
    ) throws(Problem) -> String {
        guard let first = names.first else {
            throw Problem(.cameraNotFound, "tintyped has no camera.", remedy: plugging)
        }
        guard names.count > 1 else { return first }
        let detail = "There are \(names.count) cameras: \(names.joined(separator: ", "))."
        throw Problem(.cameraAmbiguous, detail, remedy: naming(first))
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

/// Position of a camera in WGS 84.
package struct GeoPosition: Hashable, Sendable {
    /// Degrees north of the equator.
    package var latitude: Double
    /// Degrees east of Greenwich.
    package var longitude: Double
    /// Metres above sea level; nil if unknown.
    package var altitude: Double?
    package static let latitudeRange: ClosedRange<Double> = -90...90
    package static let longitudeRange: ClosedRange<Double> = -180...180
    /// Accepted altitudes: from below the deepest sea to above any balloon.
    package static let altitudeRange: ClosedRange<Double> = -12_000...100_000

    package init(latitude: Double, longitude: Double, altitude: Double? = nil) {
        (self.latitude, self.longitude, self.altitude) = (latitude, longitude, altitude)
    }
}
