// SPDX-License-Identifier: Apache-2.0

/// A message of the kernel about a device.
///
/// Source: lib/kobject_uevent.c: `ACTION@DEVPATH`, then `KEY=VALUE` pairs, each ended by a zero byte.
struct Uevent: Hashable, Sendable {
    private let values: [String: String]

    /// Reads a message; nil for what is none, such as one that udev sends itself (`libudev`).
    init?(_ message: [UInt8]) {
        let parts = message.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        guard let head = parts.first, head.contains("@") else { return nil }
        var values: [String: String] = [:]
        for part in parts.dropFirst() {
            guard let equals = part.firstIndex(of: "=") else { continue }
            values[String(part[..<equals])] = String(part[part.index(after: equals)...])
        }
        guard values["ACTION"] != nil, values["SUBSYSTEM"] != nil else { return nil }
        self.values = values
    }

    /// What it says of a video node; nil where it is about something else.
    var change: NodeChange? {
        guard values["SUBSYSTEM"] == "video4linux", let name = values["DEVNAME"],
            DeviceFolders.number(of: name) != nil
        else { return nil }
        return switch values["ACTION"] {
        case "add": .added(name: name)
        case "remove": .removed(name: name)
        default: .changed(name: name)
        }
    }
}
