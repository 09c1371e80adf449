// SPDX-License-Identifier: Apache-2.0
import DeviceReplay
import Foundation
import TintypeDevice
import TintypeModel

/// The records in `Tests/Records`: of drivers in the virtual machine, and of cameras whose listings are public.
enum RecordedDevices {
    private static var folder: URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Records").standardized
    }

    /// The names of all of them.
    static var names: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .filter { $0.hasSuffix(".json") }
                .map { String($0.dropLast(".json".count)) }
                .sorted()
        }
    }

    /// One of them.
    static func record(_ name: String) throws -> DeviceRecord {
        try WireFormat.decode(DeviceRecord.self, from: Data(contentsOf: folder.appending(path: name + ".json")))
    }

    /// The device that it is a record of.
    static func device(_ name: String) throws -> V4L2Device {
        try V4L2Device(replaying: try record(name), path: "/dev/\(name)")
    }

    /// What the device grants of a wish, as in `MJPG:1280x720@30`.
    static func granted(_ wish: FormatWish, of name: String) throws -> GrantedFormat {
        let device = try device(name)
        let input = try device.selectInput(InputWish())
        let offer = FormatOffer(
            camera: device.identity,
            formats: try device.formats(),
            current: try device.currentFormat(),
            hasSignal: input?.hasSignal ?? false
        )
        return try device.configure(try wish.resolve(offer, asking: device), crop: nil)
    }
}
