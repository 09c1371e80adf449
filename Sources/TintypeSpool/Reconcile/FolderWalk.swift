// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeModel

/// A picture's file that a walk came by.
struct FoundFile: Hashable, Sendable {
    /// Its path relative to the spool.
    var path: String
    /// Its bytes.
    var size: Int
}

/// A walk through the folders of all cameras of a spool, a few files at a time, the last name first: if names begin with
/// the time, files that a power cut or a kill has left are found at once.
///
/// Used on one thread, which it blocks. Links are not followed, and hidden names are passed over, the spool's own among
/// them.
struct FolderWalk {
    private let root: String
    private let files: any FileSystem
    private let logger: Logger
    /// The folders on the way to where the walk is, each with the names that are still to come, the next one last.
    private var open: [(folder: String, names: [String])] = []
    /// The cameras that have a folder.
    private(set) var cameras: [String] = []
    /// What tells which folders agree with the catalog already; nil for none.
    private let mark: CleanMark?
    /// The folders that were passed over for that, relative to the spool.
    private(set) var passed: Set<String> = []
    /// The folders that have folders in them, by their numbers.
    private(set) var folders: [String: UInt64] = [:]
    /// How many folders and files could not be looked at.
    private(set) var unread = 0

    /// The deepest that a file can be below a camera's folder.
    private static let deepest = 32

    /// A walk through the spool at `root`.
    ///
    /// Throws what listing that folder throws.
    init(_ root: String, since mark: CleanMark?, files: any FileSystem, logger: Logger) throws(FileError) {
        self.root = root
        self.mark = mark
        self.files = files
        self.logger = logger
        for name in try files.names(in: root) where CameraName.isValid(name) {
            if try files.status(of: "\(root)/\(name)", following: false)?.kind == .folder { cameras.append(name) }
        }
        open.append(("", cameras))
    }

    /// The next files, at most `count`; none at the end.
    ///
    /// A folder or file that cannot be looked at is logged and passed over.
    mutating func next(_ count: Int) -> [FoundFile] {
        var found: [FoundFile] = []
        while found.count < count, let last = open.indices.last {
            guard let name = open[last].names.popLast() else {
                open.removeLast()
                continue
            }
            let folder = open[last].folder
            // A camera's latest.jpg is a link, or a picture that has no row.
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
                    // Another spool, whose pictures are its own.
                    guard !names.contains(".lock") || !names.contains("catalog.sqlite") else { continue }
                    open.append((path, names))
                    if status.links != 2 { folders[path] = status.inode }
                } else if status.kind == .file, name.hasSuffix(".jpg"), !folder.isEmpty {
                    found.append(FoundFile(path: path, size: status.size))
                }
            } catch  where error.code == ENOENT || error.code == ENOTDIR {
                // It went meanwhile.
            } catch {
                unread += 1
                logger.warning("\(error) What is there stays as it is until the next start or “tintype frames verify”.")
            }
        }
        return found
    }

    /// Whether the catalog agrees with a folder already, and each folder on the way to it is the one that it was.
    private func agrees(_ path: String, _ status: FileStatus) -> Bool {
        guard let mark, mark.covers(status) else { return false }
        return open.dropFirst().allSatisfy { above in
            folders[above.folder].map { $0 == mark.folders[above.folder] } ?? false
        }
    }
}
