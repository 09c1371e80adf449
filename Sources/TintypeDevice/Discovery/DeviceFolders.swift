// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Where the kernel and udev tell of devices.
///
/// A test has folders of its own in their place; what is read there is told as if it came from the machine's.
package struct DeviceFolders: Hashable, Sendable {
    /// The folder that stands for `/`: below it are sys, dev and run.
    let root: String

    /// The folders of this machine.
    package static let machine = DeviceFolders(root: "")

    /// The nodes of the class video4linux that are for video: `video0`, …; in order of their numbers.
    ///
    /// Blocks on the file system.
    func videoNodes() -> [String] {
        Self.entries(of: root + "/sys/class/video4linux")
            .compactMap { name in Self.number(of: name).map { (name, $0) } }
            .sorted { $0.1 < $1.1 }
            .map(\.0)
    }

    /// The number of a node such as `video12`; nil for other names.
    static func number(of name: String) -> Int? {
        guard name.hasPrefix("video") else { return nil }
        return Int(name.dropFirst("video".count))
    }

    /// The links in a folder by the node that each leads to, such as `/dev/video0`.
    func links(in folder: String) -> [String: [String]] {
        var links: [String: [String]] = [:]
        for name in Self.entries(of: root + folder).sorted() {
            guard let target = whole(root + folder + "/" + name) else { continue }
            links[target, default: []].append(folder + "/" + name)
        }
        return links
    }

    /// The path that `path` leads to once every link on the way is followed; nil where there is none.
    ///
    /// The C function is `realpath`; both paths are as on the machine itself.
    func resolved(_ path: String) -> String? { whole(root + path) }

    /// The text of a small file, without white space around it; nil where it cannot be read or is empty.
    func text(_ path: String) -> String? {
        guard let lines = lines(path) else { return nil }
        let text = lines.prefix(1).joined()
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return nil }
        return String(text[first...last])
    }

    /// The lines of a file of at most 64 KiB; nil where it cannot be read.
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

    /// Where the stamps of a driver come from.
    ///
    /// uvcvideo flags the arrival of frames as the start of exposure, unless its parameter `hwtimestamps` has it use the
    /// camera's own clock.
    package func stampOrigin(ofDriver driver: String) -> StampOrigin {
        guard driver == "uvcvideo" else { return .flagged }
        return text("/sys/module/uvcvideo/parameters/hwtimestamps") ?? "0" == "0" ? .arrival : .device
    }

    private static func entries(of folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            // In place: the entry is as long as its name, so a copy of all that `dirent` has reads beyond the buffer.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
