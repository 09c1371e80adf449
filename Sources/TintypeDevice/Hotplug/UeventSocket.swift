// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc

/// NETLINK_KOBJECT_UEVENT of netlink(7); needs no udev, but the initial user namespace (kobject_uevent.c).
final class UeventSocket: Sendable {
    /// Multicast group of the kernel's own messages; udev has the second one.
    private static let kernelGroup: UInt32 = 1
    /// UEVENT_BUFFER_SIZE of the kernel is 2 KiB, plus a header.
    private static let longest = 8192

    private let handle: Descriptor

    /// Opens the socket with a receive buffer of `capacity` bytes (SO_RCVBUF).
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
        guard status == 0 else { throw .system(operation: "bind", path: "the kernel's device events", errno: errno) }
        self.handle = handle
    }

    var descriptor: CInt { handle.rawValue }

    /// Names of the changed video nodes; never blocks.
    func changes() -> [String] {
        var changes: [String] = []
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
            // The receive buffer overflowed.
            if count < 0, errno == ENOBUFS {
                changes.append(NodeWatcher.overflow)
                continue
            }
            guard count > 0 else { return changes }
            // Only the kernel sends from port 0.
            guard sender.nl_pid == 0, let node = Self.node(in: Array(message.prefix(count))) else { continue }
            changes.append(node)
        }
    }

    /// Name of the video node that a message is about; nil for other devices, and for messages of others, such as udev.
    ///
    /// Source: lib/kobject_uevent.c: `ACTION@DEVPATH`, then `KEY=VALUE` pairs, each NUL-terminated.
    static func node(in message: [UInt8]) -> String? {
        let parts = message.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        guard parts.first?.contains("@") == true, parts.contains("SUBSYSTEM=video4linux") else { return nil }
        let key = "DEVNAME="
        guard let name = parts.first(where: { $0.hasPrefix(key) })?.dropFirst(key.count) else { return nil }
        return DeviceFolders.number(of: String(name)) == nil ? nil : String(name)
    }
}
