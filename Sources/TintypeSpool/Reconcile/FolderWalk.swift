// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeModel

struct FoundFile: Sendable {
    /// Relative to the spool.
    let path: String
    let size: Int
    /// Checksum of the deleted picture of that path; nil without an unexpired tombstone.
    var deleted: String?
}

/// A walk through the camera folders of a spool, a few files at a time, in descending order of names.
///
/// If names begin with the time, files left by a power cut or a kill are found first. Use on one thread, which it
/// blocks. Does not follow links, and skips hidden names, such as the spool's own.
struct FolderWalk {
    private let root: String
    private let files: any FileSystem
    private let logger: Logger
    /// Folders from the root to the current position, each with its remaining names, the next one last.
    private var open: [(folder: String, names: [String])] = []
    private(set) var cameras: [String] = []
    /// Marker of the last comparison; nil to walk all folders.
    private let marker: CleanShutdownMarker?
    /// Folders skipped as unchanged, relative to the spool.
    private(set) var passed: Set<String> = []
    /// Folders with subfolders, by inode.
    private(set) var folders: [String: UInt64] = [:]
    private(set) var unread = 0

    /// Maximum depth of a file below a camera's folder.
    private static let deepest = 32

    /// Throws if `root`, the folder of the spool, cannot be listed.
    init(_ root: String, since marker: CleanShutdownMarker?, files: any FileSystem, logger: Logger) throws(FileError) {
        (self.root, self.marker, self.files, self.logger) = (root, marker, files, logger)
        for name in try files.names(in: root) where CameraName.isValid(name) {
            if try files.status(of: "\(root)/\(name)", following: false)?.kind == .folder { cameras.append(name) }
        }
        open.append(("", cameras))
    }

    /// Next files, at most `count`, empty at the end; logs and skips unreadable folders and files.
    mutating func next(_ count: Int) -> [FoundFile] {
        var found: [FoundFile] = []
        while found.count < count, let last = open.indices.last {
            guard let name = open[last].names.popLast() else {
                open.removeLast()
                continue
            }
            let folder = open[last].folder
            // A camera's latest.jpg is a link, or a copy without a row.
            guard !name.hasPrefix("."), !(open.count == 2 && name == "latest.jpg") else { continue }
            let path = folder.isEmpty ? name : "\(folder)/\(name)"
            do throws(FileError) {
                guard let status = try files.status(of: "\(root)/\(path)", following: false) else { continue }
                if status.kind == .folder, open.count <= Self.deepest {
                    if agrees(path, status) {
                        passed.insert(path)
                        continue
                    }
                    let names = try files.names(in: "\(root)/\(path)")
                    // A nested spool has its own pictures.
                    guard !names.contains(".lock") || !names.contains("catalog.sqlite") else { continue }
                    open.append((path, names))
                    if status.links != 2 { folders[path] = status.inode }
                } else if status.kind == .file, name.hasSuffix(".jpg") || SpoolPath.isVideo(name), !folder.isEmpty {
                    found.append(FoundFile(path: path, size: status.size))
                }
            } catch  where error.code == ENOENT || error.code == ENOTDIR {
                // Removed meanwhile.
            } catch {
                unread += 1
                logger.warning("\(error) It is skipped until the next start or “tintype frames verify”.")
            }
        }
        return found
    }

    /// True if the catalog already agrees with a folder, and none of the folders above it was replaced.
    private func agrees(_ path: String, _ status: FileStatus) -> Bool {
        guard let marker, marker.covers(status) else { return false }
        return open.dropFirst().allSatisfy { above in
            folders[above.folder].map { $0 == marker.folders[above.folder] } ?? false
        }
    }
}
