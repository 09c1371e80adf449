// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

extension Storage {
    /// Makes the folders of a picture that are not there yet.
    func makeFolders(of name: SpoolPath) throws(FileError) {
        for relative in name.folders where !madeFolders.contains(relative) {
            try files.makeFolderIfMissing("\(folder)/\(relative)", mode: configuration.folderMode)
            madeFolders.insert(relative)
        }
    }

    /// Returns once the picture's name and those of all its folders are on the disk.
    ///
    /// Folders that a daemon before this one made, or a still of lower durability, are flushed once.
    func syncFolders(of name: SpoolPath) throws(FileError) {
        var parent = folder
        for relative in name.folders {
            if !syncedFolders.contains(relative) {
                try files.syncFolder(parent)
                syncedFolders.insert(relative)
            }
            parent = "\(folder)/\(relative)"
        }
        try files.syncFolder(parent)
    }

    /// Makes a link to `name` in `.incoming` that needs only a rename to be the camera's `latest.jpg`.
    ///
    /// Returns its path. Nothing that can run out of room is left for after the row's insertion.
    func makeLatest(_ id: FrameID, to name: SpoolPath) throws(FileError) -> String {
        let link = "\(incoming)/\(id).latest"
        try files.makeLink(link, to: name.withinCamera)
        return link
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
