// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// The names of exported pictures: those that they have in their spool, so that an export can be a spool again.
struct ExportNames {
    /// The folders of the daemon's spools.
    private let folders: [String]
    private var paths = UniquePaths(besides: [ExportNames.manifest])

    /// The name of the manifest, which no picture gets.
    static let manifest = "manifest.jsonl"

    /// Names of pictures that lie in these folders.
    init(folders: [String]) {
        // The longest first: one may be inside of another.
        self.folders = folders.sorted { $0.utf8.count > $1.utf8.count }
    }

    /// A relative path for the picture, which no other of this export has.
    mutating func name(of frame: FrameRecord) -> String {
        let camera = CameraName.isValid(frame.still.camera) ? frame.still.camera : "camera"
        return paths.add(relative(frame) ?? "\(camera)/\(frame.id).jpg")
    }

    /// The path in the spool; nil where it is in none, or would lead out of the export or hide in it.
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
