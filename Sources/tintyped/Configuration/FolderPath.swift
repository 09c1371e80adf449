// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials

/// Folders as they are on the disk, by any path: links are followed, `.` and `..` are gone.
enum FolderPath {
    /// The most links that are followed, as by the kernel (path_resolution(7)).
    private static let mostLinks = 40

    /// Whether two absolute paths name one folder, or one that is inside of the other; blocks on the file system.
    static func overlap(_ one: String, _ other: String) -> Bool {
        let (one, other) = (parts(of: one), parts(of: other))
        return one.starts(with: other) || other.starts(with: one)
    }

    /// The names from the root to the folder; what is not there is taken as it is written.
    private static func parts(of path: String) -> [Substring] {
        var rest = Array(path.split(separator: "/").reversed())
        var parts: [Substring] = []
        var links = 0
        while let part = rest.popLast() {
            switch part {
            case ".": continue
            case "..": _ = parts.popLast()
            default:
                parts.append(part)
                let here = "/" + parts.joined(separator: "/")
                guard links < mostLinks,
                    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: here)
                else { continue }
                links += 1
                if target.hasPrefix("/") { parts = [] } else { parts.removeLast() }
                rest += target.split(separator: "/").reversed()
            }
        }
        return parts
    }
}
