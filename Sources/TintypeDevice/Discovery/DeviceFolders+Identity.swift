// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

extension DeviceFolders {
    /// What sysfs tells of the node `name`, as in `video0`; opens no device.
    ///
    /// Blocks, and may do so for as long as the driver of a USB device hangs: the kernel locks the device for the texts
    /// that it sent (`usb_string_attr` in drivers/usb/core/sysfs.c).
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

    /// The driver's name for the node `name`, from the node's own folder, which no driver locks.
    func cardName(of name: String) -> String { text("/sys/class/video4linux/\(name)/name") ?? "" }

    private func driver(of device: String) -> String {
        resolved(device + "/driver")?.split(separator: "/").last.map(String.init) ?? ""
    }

    /// The folder of the USB device that `device` is an interface of; nil where it is none.
    private func usbDevice(above device: String) -> String? {
        var folder = device
        while folder.count > "/sys/devices".count {
            if text(folder + "/idVendor") != nil { return folder }
            guard let slash = folder.lastIndex(of: "/") else { return nil }
            folder = String(folder[..<slash])
        }
        return nil
    }

    /// `bus_info` as usb_make_path() of the kernel makes it: the controller's name and the ports on the way.
    private static func usbBusInfo(_ device: String, port: String) -> String {
        let folders = device.split(separator: "/").map(String.init)
        guard let bus = folders.firstIndex(where: { $0.wholeMatch(of: /usb[0-9]+/) != nil }), bus > 0,
            let ports = port.split(separator: "-", maxSplits: 1).last
        else { return "" }
        return "usb-\(folders[bus - 1])-\(ports)"
    }
}

/// What udev has noted of a node: the links that it wants for it, also those that another node of the same name got, and
/// whether it captures.
///
/// Source: /run/udev/data/c81:N of systemd-udevd, one fact a line: `S:` a link below /dev, `E:` a property.
struct UdevRecord: Hashable, Sendable {
    /// Links, whole paths.
    private(set) var links: [String] = []
    /// Whether it captures video; nil where udev does not say.
    private(set) var isCapture: Bool?

    /// The record of the node `name` in these folders; an empty one where there is no udev.
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

    /// The links of the folder `folder`.
    func links(in folder: String) -> [String] { links.filter { $0.hasPrefix(folder + "/") } }
}
