// SPDX-License-Identifier: Apache-2.0
internal import Glibc

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
