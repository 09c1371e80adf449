// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

/// Folders of the pictures, and the names in them; on the storage thread.
final class FolderTree {
    private static let most = 1024
    private static let rememberedNames = 256

    private let files: any FileSystem
    private let folder: String
    private let mode: UInt32
    private let names: FileNames
    /// Folders that exist, relative to the spool.
    private(set) var made: Set<String> = []
    /// Folders whose names are flushed, up to the spool.
    private var flushed: Set<String> = []
    /// Next attempt number of recently used names.
    private var nextAttempts: [SpoolPath: Int] = [:]

    init(_ configuration: SpoolStore.Configuration, files: any FileSystem) {
        (folder, mode, names) = (configuration.folder, configuration.folderMode, configuration.names)
        self.files = files
    }

    /// Forgets which folders are there: one was removed by another program.
    func forgetFolders() { (made, flushed) = ([], []) }

    /// Creates missing folders; paths relative to the spool, outermost first.
    func createFolders(_ relatives: [String]) throws(FileError) {
        // A name pattern may create a folder for each still.
        if made.count > Self.most { forgetFolders() }
        for relative in relatives where !made.contains(relative) {
            try files.makeFolderIfMissing("\(folder)/\(relative)", mode: mode)
            made.insert(relative)
        }
    }

    /// Flushes the picture's name to the disk, and once in each opening those of its folders, which a previous daemon
    /// or a still of lower durability may have created.
    func flush(_ name: SpoolPath) throws(FileError) {
        var parent = folder
        for relative in name.folders {
            if !flushed.contains(relative) {
                try files.syncFolder(parent)
                flushed.insert(relative)
            }
            parent = "\(folder)/\(relative)"
        }
        try files.syncFolder(parent)
    }

    /// Renames a file in `.incoming` by the pattern, with a number if the name is taken.
    func move(_ temporary: String, of record: StillRecord, _ ending: String = "jpg") throws(FileError) -> SpoolPath {
        var first = names.path(
            camera: record.camera,
            capturedAt: record.capturedAt,
            sequence: record.sequence,
            id: record.id
        )
        first.ending = ending
        var name = first
        // With a coarse pattern, trying all names of a minute would take ever longer.
        if let next = nextAttempts[first] { name.attempt = next }
        try createFolders(name.folders)
        name = try move(temporary, to: name)
        if nextAttempts.count >= Self.rememberedNames { nextAttempts.removeAll(keepingCapacity: true) }
        nextAttempts[first] = name.attempt + 1
        return name
    }

    /// Renames a file to `name`, or to the next free attempt of the same stem.
    func move(_ path: String, to name: SpoolPath) throws(FileError) -> SpoolPath {
        var name = name
        var hasRetried = false
        while true {
            do throws(FileError) {
                try files.move(path, to: "\(folder)/\(name)")
                return name
            } catch  where error.code == EEXIST && name.attempt < SpoolPath.lastAttempt {
                name.attempt += 1
            } catch  where error.code == ENOENT && !hasRetried {
                // The folder was removed after its creation.
                hasRetried = true
                forgetFolders()
                try createFolders(name.folders)
            }
        }
    }
}

extension FileSystem {
    /// Creates a folder unless it exists; throws ENOTDIR for anything else, or a link unless `following`; blocks.
    package func makeFolderIfMissing(_ path: String, mode: UInt32, following: Bool = false) throws(FileError) {
        do throws(FileError) {
            try makeFolder(path, mode: mode)
        } catch  where error.code == EEXIST {
            guard try status(of: path, following: following)?.kind == .folder else {
                throw FileError("make the folder", path, code: ENOTDIR)
            }
        }
    }
}
