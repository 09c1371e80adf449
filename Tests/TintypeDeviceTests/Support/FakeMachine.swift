// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import TintypeModel

@testable import TintypeDevice

/// A folder that imitates /sys, /dev and /run of a machine with cameras.
final class FakeMachine: Sendable {
    let root: String
    var folders: DeviceFolders { DeviceFolders(root: root) }
    private static let controller = "/sys/devices/pci0000:00/0000:00:14.0/usb1"

    /// Calls `body` with a machine without cameras and removes it afterwards.
    static func with<Result>(_ body: (FakeMachine) async throws -> Result) async throws -> Result {
        try await withTemporaryFolder { try await body(FakeMachine(root: $0)) }
    }

    /// Calls `body` with a machine, its drivers and a discovery on them.
    static func withDrivers<Result>(
        _ body: (FakeMachine, FakeDrivers, CameraDiscovery) async throws -> Result
    ) async throws -> Result {
        try await with { machine in
            let drivers = FakeDrivers()
            return try await body(machine, drivers, drivers.discovery(on: machine))
        }
    }

    private init(root: String) throws {
        self.root = root
        for folder in ["/sys/class/video4linux", "/sys/bus/drivers", "/dev", "/run/udev/data"] { try make(folder) }
    }

    /// Adds the interface of a USB camera in `port`, such as `1-2.3`, with these nodes.
    func plugIn(
        port: String,
        vendor: String = "046d",
        product: String = "082d",
        texts: [String: String] = [:],
        card: String = "",
        nodes: [Int] = []
    ) throws {
        // Nested as in sysfs: 1-2.3 below 1-2.
        let parts = port.split(separator: ".")
        let hubs = (1..<parts.count).map { parts.prefix($0).joined(separator: ".") }
        let device = ([Self.controller] + hubs + [port]).joined(separator: "/")
        try write(vendor, to: device + "/idVendor")
        try write(product, to: device + "/idProduct")
        for (name, text) in texts { try write(text, to: "\(device)/\(name)") }
        try makeDevice("\(device)/\(port):1.0", driver: "uvcvideo")
        for number in nodes { try makeNode(number, card: card, port: port) }
    }

    /// Adds a device on a bus without further attributes.
    func makePlatformDevice(_ name: String, driver: String) throws {
        try makeDevice("/sys/devices/platform/\(name)", driver: driver)
    }

    private func makeDevice(_ path: String, driver: String) throws {
        try make(path)
        try make("/sys/bus/drivers/\(driver)")
        try link(path + "/driver", to: "/sys/bus/drivers/\(driver)")
    }

    /// Adds a node of the USB camera in `port` or of the platform device `device`.
    ///
    /// With `isStatic` the file in /dev already exists and stays unchanged, as in a container.
    func makeNode(
        _ number: Int,
        card: String,
        port: String? = nil,
        device: String? = nil,
        isStatic: Bool = false
    ) throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root + "/sys/devices")
        let folder = port.map { "\($0):1.0" } ?? device ?? "none"
        guard let parent = paths.first(where: { $0.hasSuffix("/" + folder) }) else { throw CocoaError(.fileNoSuchFile) }
        let node = "/sys/devices/\(parent)/video4linux/video\(number)"
        try write(card + "\n", to: node + "/name")
        try write("81:\(number)\n", to: node + "/dev")
        try link(node + "/device", to: "/sys/devices/\(parent)")
        try link("/sys/class/video4linux/video\(number)", to: node)
        if !isStatic { try write("", to: "/dev/video\(number)") }
    }

    func removeNode(_ number: Int) throws {
        for path in ["/sys/class/video4linux/video\(number)", "/dev/video\(number)"] {
            try FileManager.default.removeItem(atPath: root + path)
        }
    }

    /// Changes the permissions and the status change time of the node; the latter may have the resolution of a kernel
    /// tick.
    func restrict(_ number: Int) async throws {
        let path = "\(root)/dev/video\(number)"
        let before = changedAt(path)
        try await eventually("a newer status change time") {
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            return changedAt(path) != before
        }
    }

    private func changedAt(_ path: String) -> Timestamp {
        var status = stat()
        _ = unsafe stat(path, &status)
        return Timestamp(status.st_ctim)
    }

    /// Writes an entry of the udev database.
    func note(_ number: Int, _ lines: String...) throws {
        try write(lines.map { $0 + "\n" }.joined(), to: "/run/udev/data/c81:\(number)")
    }

    func link(_ path: String, to target: String) throws {
        try make(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
        try? FileManager.default.removeItem(atPath: root + path)
        try FileManager.default.createSymbolicLink(atPath: root + path, withDestinationPath: root + target)
    }

    func write(_ text: String, to path: String) throws {
        try make(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
        try text.write(toFile: root + path, atomically: false, encoding: .utf8)
    }

    func make(_ folder: String) throws {
        try FileManager.default.createDirectory(atPath: root + folder, withIntermediateDirectories: true)
    }
}
