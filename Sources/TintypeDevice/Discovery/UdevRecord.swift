// SPDX-License-Identifier: Apache-2.0

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
