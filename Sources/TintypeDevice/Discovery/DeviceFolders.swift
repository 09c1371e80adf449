// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

/// Root of sysfs, /dev and /run, other than `/` in tests; paths are reported as if they were the machine's.
package struct DeviceFolders: Hashable, Sendable {
    let root: String

    package init(root: String) { self.root = root }

    package static let machine = DeviceFolders(root: "")

    /// Lists the video nodes in sysfs (`video0`) by number; blocks on the file system.
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
            guard let target = resolved(folder + "/" + name) else { continue }
            links[target, default: []].append(folder + "/" + name)
        }
        return links
    }

    /// realpath(3) of a path relative to ``root``, as such a path; nil if it does not exist.
    func resolved(_ path: String) -> String? {
        guard let target = unsafe realpath(root + path, nil) else { return nil }
        defer { unsafe free(target) }
        let text = unsafe String(cString: target)
        return text.hasPrefix(root) ? String(text.dropFirst(root.count)) : nil
    }

    /// First line of a file without surrounding white space; nil if unreadable or empty.
    func text(_ path: String) -> String? {
        guard let text = lines(path)?.first, let first = text.firstIndex(where: { !$0.isWhitespace }),
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

    /// uvcvideo flags the arrival as start of exposure, unless its parameter `hwtimestamps` selects the camera's clock.
    package func stampOrigin(ofDriver driver: String) -> StampOrigin {
        guard driver == "uvcvideo" else { return .flagged }
        return text("/sys/module/uvcvideo/parameters/hwtimestamps") ?? "0" == "0" ? .arrival : .device
    }

    private static func entries(of folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            // Read in place: the entry is as long as its name; a copy of a whole `dirent` reads out of bounds.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    /// Reads the identity of the node `name` (`video0`) from sysfs, without opening it.
    ///
    /// Blocks as long as a USB driver hangs: the kernel locks the device for its string attributes (`usb_string_attr`
    /// in drivers/usb/core/sysfs.c). Source: Documentation/ABI/stable/sysfs-bus-usb and testing/sysfs-bus-usb.
    func identity(of name: String) -> CameraIdentity {
        var identity = CameraIdentity(path: "/dev/\(name)", card: cardName(of: name), driver: "", busInfo: "")
        let folder = "/sys/class/video4linux/\(name)"
        identity.sysfsPath = resolved(folder)
        guard let device = resolved(folder + "/device") else { return identity }
        identity.driver = resolved(device + "/driver")?.split(separator: "/").last.map(String.init) ?? ""
        guard let usb = usbDevice(above: device), let port = usb.split(separator: "/").last.map(String.init) else {
            return identity
        }
        if let vendor = text(usb + "/idVendor"), let product = text(usb + "/idProduct") {
            identity.usb = "\(vendor):\(product)".lowercased()
        }
        identity.port = port
        identity.busInfo = Self.usbBusInfo(usb, port: port)
        identity.serial = text(usb + "/serial")
        identity.manufacturer = text(usb + "/manufacturer")
        identity.product = text(usb + "/product")
        return identity
    }

    /// From the node's own sysfs directory, which takes no driver lock.
    func cardName(of name: String) -> String { text("/sys/class/video4linux/\(name)/name") ?? "" }

    /// Sysfs directory of the USB device that `device` is an interface of.
    private func usbDevice(above device: String) -> String? {
        var folder = device
        while folder.count > "/sys/devices".count {
            if text(folder + "/idVendor") != nil { return folder }
            guard let slash = folder.lastIndex(of: "/") else { return nil }
            folder = String(folder[..<slash])
        }
        return nil
    }

    /// `bus_info` as built by the kernel's usb_make_path(): name of the controller and port path.
    private static func usbBusInfo(_ device: String, port: String) -> String {
        let folders = device.split(separator: "/").map(String.init)
        guard let bus = folders.firstIndex(where: { $0.wholeMatch(of: /usb[0-9]+/) != nil }), bus > 0,
            let ports = port.split(separator: "-", maxSplits: 1).last
        else { return "" }
        return "usb-\(folders[bus - 1])-\(ports)"
    }
}

/// udev's record of a node: its links, including those won by another node of the same name, and its capability.
///
/// Source: /run/udev/data/c81:N of systemd-udevd; `S:` lines are links below /dev, `E:` lines properties.
struct UdevRecord: Hashable, Sendable {
    private(set) var links: [String] = []
    /// True if it captures video; nil if udev does not say.
    private(set) var isCapture: Bool?

    /// Empty without udev.
    init(of name: String, in folders: DeviceFolders) {
        guard let number = folders.text("/sys/class/video4linux/\(name)/dev"),
            let lines = folders.lines("/run/udev/data/c\(number)")
        else { return }
        for line in lines {
            if line.hasPrefix("S:") { links.append("/dev/" + line.dropFirst(2)) }
            if line.hasPrefix("E:ID_V4L_CAPABILITIES=") {
                isCapture = line.dropFirst("E:ID_V4L_CAPABILITIES=".count).split(separator: ":").contains("capture")
            }
        }
    }

    func links(in folder: String) -> [String] { links.filter { $0.hasPrefix(folder + "/") } }
}
