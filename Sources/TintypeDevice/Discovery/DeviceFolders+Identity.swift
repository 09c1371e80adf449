// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

extension DeviceFolders {
    /// Reads the identity of the node `name` (`video0`) from sysfs, without opening it.
    ///
    /// May block as long as a USB driver hangs: the kernel locks the device for its string attributes
    /// (`usb_string_attr` in drivers/usb/core/sysfs.c).
    ///
    /// Source: Documentation/ABI/stable/sysfs-bus-usb, Documentation/ABI/testing/sysfs-bus-usb.
    func identity(of name: String) -> CameraIdentity {
        var identity = CameraIdentity(path: "/dev/\(name)", card: cardName(of: name), driver: "", busInfo: "")
        let folder = "/sys/class/video4linux/\(name)"
        identity.sysfsPath = resolved(folder)
        guard let device = resolved(folder + "/device") else { return identity }
        identity.driver = driver(of: device)
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

    /// Card name from the node's own sysfs directory, which takes no driver lock.
    func cardName(of name: String) -> String { text("/sys/class/video4linux/\(name)/name") ?? "" }

    private func driver(of device: String) -> String {
        resolved(device + "/driver")?.split(separator: "/").last.map(String.init) ?? ""
    }

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
    /// Absolute paths.
    private(set) var links: [String] = []
    /// True if it captures video; nil if udev does not say.
    private(set) var isCapture: Bool?

    /// Reads the record of the node `name`; empty without udev.
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

    /// Links in a directory.
    func links(in folder: String) -> [String] { links.filter { $0.hasPrefix(folder + "/") } }
}
