// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Names of exported pictures: their paths in the spool, which make the export usable as a spool.
struct ExportNames {
    private let folders: [String]
    private var paths = UniquePaths(taken: [ExportNames.manifest])

    /// Name of the manifest; no picture gets it.
    static let manifest = "manifest.jsonl"

    init(folders: [String]) {
        // Longest first: one folder may be inside another.
        self.folders = folders.sorted { $0.utf8.count > $1.utf8.count }
    }

    /// Relative path for the picture, unique in this export.
    mutating func name(of frame: FrameRecord) -> String {
        let camera = CameraName.isValid(frame.still.camera) ? frame.still.camera : "camera"
        return paths.reserve(relative(frame) ?? "\(camera)/\(frame.id).\(frame.still.ending)")
    }

    /// Path relative to the spool; nil if in no spool, or if the path would leave the export folder or be hidden.
    private func relative(_ frame: FrameRecord) -> String? {
        guard let path = frame.still.path, let folder = folders.first(where: { path.hasPrefix("\($0)/") }) else {
            return nil
        }
        let rest = path.dropFirst(folder.count + 1)
        let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
        let isSafe = parts.allSatisfy { part in !part.isEmpty && !part.hasPrefix(".") && !part.utf8.contains(0) }
        return isSafe ? String(rest) : nil
    }
}

extension StillRecord {
    /// End of the name of its file.
    var ending: String { kind == nil ? "jpg" : path?.hasSuffix(".mkv") == true ? "mkv" : "mp4" }
}

struct UniquePaths {
    var taken: Set<String> = []

    /// Reserves `path` or, if taken, the path with `-2`, `-3` and so on before its extension.
    mutating func reserve(_ path: String) -> String {
        let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let dot = path[name...].dropFirst().lastIndex(of: ".") ?? path.endIndex
        var free = path
        var attempt = 1
        while !taken.insert(free).inserted {
            attempt += 1
            free = "\(path[..<dot])-\(attempt)\(path[dot...])"
        }
        return free
    }
}
