// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import Yams

extension ConfigurationReader {
    private static let deviceRemedy =
        "Give its node or a link to it, such as /dev/v4l/by-id/usb-NAME-video-index0 or /dev/video0."

    /// The node of a camera, or a link to it.
    static func device(_ keys: MappingReader<ConfigurationKey.Camera>) -> String? {
        keys.text(.device, "an absolute path", remedy: deviceRemedy, where: isPath)
    }

    /// The conditions by which a camera is found; nil if the key is not there or its value is not right.
    static func match(_ keys: MappingReader<ConfigurationKey.Camera>) -> CameraMatch? {
        guard let conditions = keys.mapping(.match, ConfigurationKey.Match.self) else { return nil }
        var match = CameraMatch([:])
        for key in CameraMatch.Key.allCases {
            match.conditions[key] = conditions.text(key, key.what, remedy: key.remedy) { value in
                key.accepts(value) && !value.utf8.contains(0)
            }
        }
        let isEmpty = ConfigurationKey.Match.allCases.allSatisfy { conditions.node($0) == nil }
        if isEmpty, keys.node(.match)?.mapping?.isEmpty == true {
            keys.fault(.match, "There is no condition.", remedy: "Give one that “tintype cameras” prints.")
        }
        return match
    }

    /// Notes it where a camera has neither `device` nor `match`, or both.
    static func checkAddress(
        _ keys: MappingReader<ConfigurationKey.Camera>,
        isMapping: Bool,
        at mark: Mark?,
        faults: FaultCollector
    ) {
        switch (keys.node(.device) != nil, keys.node(.match) != nil) {
        case (true, true):
            keys.fault(.match, "The camera has both match and device.", remedy: "Keep one of the two.")
        case (false, false) where isMapping:
            let remedy = "\(deviceRemedy) Or give match, with conditions that only this camera meets."
            faults.add(mark, key: keys.name(.device), "The key is missing.", remedy: remedy)
        default: break
        }
    }
}

extension CameraMatch.Key {
    /// The kind of the right value.
    fileprivate var what: String {
        switch self {
        case .byID, .byPath: "the name of a link"
        case .serial: "a serial number"
        case .usb: "vendor and product of a USB device"
        case .port: "a USB port"
        case .card, .driver: "a name"
        case .name: "a pattern"
        case .busInfo: "a place on a bus"
        case .path: "an absolute path"
        }
    }

    /// The remedy for a wrong value.
    fileprivate var remedy: String {
        switch self {
        case .byID: "Give a link of /dev/v4l/by-id, such as usb-NAME-video-index0."
        case .byPath: "Give a link of /dev/v4l/by-path, such as pci-0000:00:14.0-usb-0:2:1.0-video-index0."
        case .serial: "Give it as “tintype cameras” prints it."
        case .usb: "Give both numbers in hexadecimal, such as 046d:082d."
        case .port: "Give bus and ports, such as 1-2.3."
        case .card: "Give the whole name, such as HD Pro Webcam C920."
        case .name: "Give the name with * for any characters and ? for one, such as HD*C920."
        case .busInfo: "Give it as “tintype cameras” prints it, such as usb-0000:00:14.0-2."
        case .driver: "Give the driver, such as uvcvideo."
        case .path: "Give a node, such as /dev/video0."
        }
    }
}
