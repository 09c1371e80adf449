// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import TintypeSystem

/// Reports video nodes that are added, removed or changed, from a thread of its own until released; opens no camera.
///
/// Uses uevents and inotify, whichever are available: a container may lack the former, a static /dev the latter.
package final class NodeWatcher: Sendable {
    /// Called on the watcher's thread with the names of changed nodes and links; must not block.
    package typealias Handler = @Sendable ([String]) -> Void

    /// In place of a name, after events were lost: anything may be different.
    package static let overflow = "*"

    /// Receive buffer for uevents in bytes: some hundred messages while the handler runs.
    package static let capacity: CInt = 256 * 1024

    /// Sources that are not available; if both fail, only periodic scans find cameras.
    package let errors: [DeviceError]
    private let wakeup: ThreadWakeup

    /// An overflow of the receive buffer of uevents, of `capacity` bytes, is reported as ``overflow``.
    package init(
        _ folders: DeviceFolders = .machine,
        hearsKernel: Bool = true,
        capacity: CInt = NodeWatcher.capacity,
        handler: @escaping Handler
    ) {
        var errors: [DeviceError] = []
        var uevents: UeventSocket?
        if hearsKernel {
            do throws(DeviceError) { uevents = try UeventSocket(capacity: capacity) } catch { errors.append(error) }
        }
        var files: FolderWatch?
        do throws(DeviceError) { files = try FolderWatch(folders) } catch { errors.append(error) }
        let wakeup = ThreadWakeup()
        do throws(ResourceError) {
            try wakeup.open()
            try NamedThread.start(name: "tt-hotplug") { [wakeup, uevents, files] in
                Self.run(uevents, files, until: wakeup, handler)
            }
        } catch {
            errors.append(DeviceError(error, path: "/dev"))
        }
        (self.wakeup, self.errors) = (wakeup, errors)
    }

    deinit { wakeup.wake() }

    /// The watcher's thread, which ends some time after the watcher.
    private static func run(
        _ uevents: UeventSocket?,
        _ files: FolderWatch?,
        until wakeup: ThreadWakeup,
        _ handler: Handler
    ) {
        // poll(2) ignores negative descriptors.
        var polls = [wakeup.descriptor, uevents?.descriptor ?? -1, files?.descriptor ?? -1].map { descriptor in
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        }
        while true {
            let ready = unsafe polls.withUnsafeMutableBufferPointer {
                unsafe poll($0.baseAddress, nfds_t($0.count), -1)
            }
            guard ready > 0 else { continue }  // EINTR
            guard polls[0].revents == 0 else { return }
            let changes = (uevents?.changes() ?? []) + (files?.changes() ?? [])
            if !changes.isEmpty { handler(changes) }
        }
    }
}

/// Watches the video nodes in /dev and the links in /dev/v4l with inotify(7).
///
/// Unlike uevents, this reports changes of permissions and links, and works where uevents are not available.
final class FolderWatch: Sendable {
    private static let events = UInt32(IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_TO | IN_MOVED_FROM | IN_ONLYDIR)
    private static let linkFolders = ["/dev/v4l", "/dev/v4l/by-id", "/dev/v4l/by-path"]

    private let handle: Descriptor
    private let folders: DeviceFolders
    private let nodes: CInt

    /// Watches the existing directories, and those of the links once they are created.
    init(_ folders: DeviceFolders) throws(DeviceError) {
        let descriptor = inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else { throw .system(operation: "inotify_init1", path: "/dev", errno: errno) }
        let handle = Descriptor(descriptor)
        let nodes = unsafe inotify_add_watch(descriptor, folders.root + "/dev", Self.events)
        guard nodes >= 0 else { throw .system(operation: "inotify_add_watch", path: "/dev", errno: errno) }
        self.handle = handle
        self.nodes = nodes
        self.folders = folders
        watchLinks()
    }

    var descriptor: CInt { handle.rawValue }

    /// Watching a directory again has no effect.
    private func watchLinks() {
        for folder in Self.linkFolders {
            _ = unsafe inotify_add_watch(handle.rawValue, folders.root + folder, Self.events)
        }
    }

    /// Names of the nodes and links that changed since the last call, ``NodeWatcher/overflow`` for lost events; never
    /// blocks.
    func changes() -> [String] {
        var changes: [String] = []
        var bytes = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = unsafe read(handle.rawValue, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return changes }
            for event in InotifyEvent.all(in: Array(bytes.prefix(count))) {
                if let name = changedName(event) { changes.append(name) }
                if event.watch != nodes || event.name == "v4l" { watchLinks() }
            }
        }
    }

    private func changedName(_ event: InotifyEvent) -> String? {
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return NodeWatcher.overflow }
        // A link: the discovery resolves its target.
        if event.watch != nodes { return event.mask & UInt32(IN_IGNORED) == 0 ? event.name : nil }
        // A new folder of links is a change: links created before it was watched are not reported.
        return event.name == "v4l" || DeviceFolders.number(of: event.name) != nil ? event.name : nil
    }
}

/// Record of inotify(7): `struct inotify_event`.
struct InotifyEvent: Hashable, Sendable {
    let watch: CInt
    let mask: UInt32
    /// Empty for the directory itself.
    let name: String

    static func all(in bytes: [UInt8]) -> [InotifyEvent] {
        var events: [InotifyEvent] = []
        var rest = bytes[...]
        let head = 16
        while rest.count >= head {
            let words = stride(from: 0, to: head, by: 4).map { offset in
                rest.dropFirst(offset).prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
            let length = Int(words[3])
            guard rest.count >= head + length else { break }
            let bytes = rest.dropFirst(head).prefix(length).prefix { $0 != 0 }
            let name = String(decoding: bytes, as: UTF8.self)
            events.append(InotifyEvent(watch: CInt(bitPattern: words[0]), mask: words[1], name: name))
            rest = rest.dropFirst(head + length)
        }
        return events
    }
}

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
