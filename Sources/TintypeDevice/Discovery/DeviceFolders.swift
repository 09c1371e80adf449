// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Root of sysfs, /dev and /run.
///
/// Tests use a directory of their own; paths are reported as if they were the machine's.
package struct DeviceFolders: Hashable, Sendable {
    /// Directory used as `/`, with sys, dev and run below it.
    let root: String

    package static let machine = DeviceFolders(root: "")

    /// Lists the video nodes of the class video4linux (`video0`), ordered by number.
    ///
    /// Blocks on the file system.
    func videoNodes() -> [String] {
        Self.entries(of: root + "/sys/class/video4linux")
            .compactMap { name in Self.number(of: name).map { (name, $0) } }
            .sorted { $0.1 < $1.1 }
            .map(\.0)
    }

    /// Number of a node such as `video12`; nil for other names.
    static func number(of name: String) -> Int? {
        guard name.hasPrefix("video") else { return nil }
        return Int(name.dropFirst("video".count))
    }

    /// Lists the links in a directory, keyed by their target, such as `/dev/video0`.
    func links(in folder: String) -> [String: [String]] {
        var links: [String: [String]] = [:]
        for name in Self.entries(of: root + folder).sorted() {
            guard let target = whole(root + folder + "/" + name) else { continue }
            links[target, default: []].append(folder + "/" + name)
        }
        return links
    }

    /// Resolves all symbolic links with realpath(3); nil if the path does not exist.
    ///
    /// Both paths are relative to ``root``.
    func resolved(_ path: String) -> String? { whole(root + path) }

    /// First line of a file without surrounding white space; nil if unreadable or empty.
    func text(_ path: String) -> String? {
        guard let lines = lines(path) else { return nil }
        let text = lines.prefix(1).joined()
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return nil }
        return String(text[first...last])
    }

    /// Lines of a file, up to 64 KiB; nil if unreadable.
    func lines(_ path: String) -> [String]? {
        guard let stream = unsafe fopen(root + path, "re") else { return nil }
        defer { unsafe fclose(stream) }
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
            count = unsafe fread(buffer.baseAddress, 1, buffer.count, stream)
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func whole(_ path: String) -> String? {
        guard let target = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(target) }
        let text = unsafe String(cString: target)
        return text.hasPrefix(root) ? String(text.dropFirst(root.count)) : nil
    }

    /// Origin of a driver's timestamps.
    ///
    /// uvcvideo flags the arrival time as start of exposure, unless its module parameter `hwtimestamps` selects the
    /// camera's clock.
    package func stampOrigin(ofDriver driver: String) -> StampOrigin {
        guard driver == "uvcvideo" else { return .flagged }
        return text("/sys/module/uvcvideo/parameters/hwtimestamps") ?? "0" == "0" ? .arrival : .device
    }

    private static func entries(of folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            // Read in place: the entry is only as long as its name, so copying a whole `dirent` would read out of
            // bounds.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
