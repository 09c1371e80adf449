// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

extension Storage {
    /// Makes the folders of a picture that are not there yet.
    func makeFolders(of name: SpoolPath) throws(FileError) { try makeFolders(name.folders) }

    /// Makes those of these folders that are not there yet; relative to the spool, outermost first.
    func makeFolders(_ relatives: [String]) throws(FileError) {
        for relative in relatives where !folders.made.contains(relative) {
            try files.makeFolderIfMissing("\(folder)/\(relative)", mode: configuration.folderMode)
            folders.made.insert(relative)
        }
    }

    /// Returns once the picture's name and those of all its folders are on the disk.
    ///
    /// Folders that a daemon before this one made, or a still of lower durability, are flushed once.
    func syncFolders(of name: SpoolPath) throws(FileError) {
        var parent = folder
        for relative in name.folders {
            if !folders.synced.contains(relative) {
                try files.syncFolder(parent)
                folders.synced.insert(relative)
            }
            parent = "\(folder)/\(relative)"
        }
        try files.syncFolder(parent)
    }
}

extension FileSystem {
    /// Makes a folder unless it is there; blocks.
    ///
    /// Throws ENOTDIR if something else has its name, a link included: it might lead somewhere else.
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
