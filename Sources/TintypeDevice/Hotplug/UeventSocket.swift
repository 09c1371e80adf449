// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc

/// The kernel's messages about devices: netlink(7), NETLINK_KOBJECT_UEVENT.
///
/// They come without udev too, but not into a user namespace of one's own (kobject_uevent.c).
final class UeventSocket: Sendable {
    /// The group that the kernel itself sends to; udev has the second one.
    private static let kernelGroup: UInt32 = 1
    /// The kernel's largest message has 2 KiB (UEVENT_BUFFER_SIZE) and a head.
    private static let longest = 8192

    private let handle: Descriptor

    /// Opens the socket, for which the kernel keeps `capacity` bytes of messages until they are read (SO_RCVBUF).
    ///
    /// Throws what the system refuses with.
    init(capacity: CInt) throws(DeviceError) {
        let flags = CInt(SOCK_RAW.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_NETLINK, flags, NETLINK_KOBJECT_UEVENT)
        guard descriptor >= 0 else {
            throw .system(operation: "socket", path: "the kernel's device events", errno: errno)
        }
        let handle = Descriptor(descriptor)
        var capacity = capacity
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &capacity, socklen_t(MemoryLayout<CInt>.size))
        var address = sockaddr_nl()
        address.nl_family = sa_family_t(AF_NETLINK)
        address.nl_groups = Self.kernelGroup
        let status = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_nl>.size))
            }
        }
        guard status == 0 else {
            throw .system(operation: "bind", path: "the kernel's device events", errno: errno)
        }
        self.handle = handle
    }

    /// Readable when a message waits.
    var descriptor: CInt { handle.rawValue }

    /// What the messages that wait say of video nodes; never blocks.
    func changes() -> [NodeChange] {
        var changes: [NodeChange] = []
        var message = [UInt8](repeating: 0, count: Self.longest)
        while true {
            var sender = sockaddr_nl()
            var length = socklen_t(MemoryLayout<sockaddr_nl>.size)
            let count = unsafe withUnsafeMutablePointer(to: &sender) { sender in
                unsafe sender.withMemoryRebound(to: sockaddr.self, capacity: 1) { sender in
                    unsafe recvfrom(handle.rawValue, &message, message.count, 0, sender, &length)
                }
            }
            if count < 0, errno == EINTR { continue }
            // The kernel had more to say than it kept for us.
            if count < 0, errno == ENOBUFS {
                changes.append(.missed)
                continue
            }
            guard count > 0 else { return changes }
            // Only the kernel has the port 0.
            guard sender.nl_pid == 0, let change = Uevent(Array(message.prefix(count)))?.change else { continue }
            changes.append(change)
        }
    }
}

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
