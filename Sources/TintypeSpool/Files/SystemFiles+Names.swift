// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension SystemFiles {
    package func makeFolder(_ path: String, mode: UInt32) throws(FileError) {
        let folder = try self.folder(of: path, for: "make the folder")
        let staging = root.map { "\($0)/\(Self.staging)" } ?? path
        // The spool's own folders, and paths that are not below the root.
        guard folder.descriptor != AT_FDCWD, !folder.name.hasPrefix(".") else {
            return try makeFolder(in: folder, path, mode: mode)
        }
        // Created elsewhere and renamed: it never has the wrong owner or mode here, even if the process dies.
        let temporary = "\(staging)/folder-\(String(UInt64.random(in: 0 ... .max), radix: 16))"
        let other = try self.folder(of: temporary, for: "make the folder")
        try makeFolder(in: other, temporary, mode: mode)
        let code = SystemCalls.renameWithoutReplacing(other, to: folder)
        guard code != 0 else { return }
        unsafe unlinkat(other.descriptor, other.name, AT_REMOVEDIR)
        if code == EINVAL || code == ENOSYS { return try makeFolder(in: folder, path, mode: mode) }
        throw FileError("make the folder", path, code: code)
    }

    package func move(_ path: String, to other: String) throws(FileError) {
        let operation = "rename \(path) to"
        let from = try self.folder(of: path, for: operation)
        let to = try self.folder(of: other, for: operation)
        var code = SystemCalls.renameWithoutReplacing(from, to: to)
        if code == EINVAL || code == ENOSYS {
            // File systems without the flag, such as NFS: link(2) does not replace either.
            code = unsafe linkat(from.descriptor, from.name, to.descriptor, to.name, 0) == 0 ? 0 : errno
            if code == 0, unsafe unlinkat(from.descriptor, from.name, 0) != 0 {
                code = errno
                unsafe unlinkat(to.descriptor, to.name, 0)
            }
        }
        if code == EPERM, try status(of: other, following: false) == nil {
            // exFAT has no hard links; the daemon's lock keeps other daemons from creating that name meanwhile.
            code = unsafe renameat(from.descriptor, from.name, to.descriptor, to.name) == 0 ? 0 : errno
        }
        guard code == 0 else { throw FileError(operation, other, code: code) }
    }

    package func replace(_ other: String, by path: String) throws(FileError) {
        let operation = "rename \(path) to"
        let from = try self.folder(of: path, for: operation)
        let to = try self.folder(of: other, for: operation)
        guard unsafe renameat(from.descriptor, from.name, to.descriptor, to.name) == 0 else {
            throw FileError(operation, other, code: errno)
        }
    }

    package func remove(_ path: String) throws(FileError) {
        let folder: OpenFolder
        do throws(FileError) {
            folder = try self.folder(of: path, for: "remove")
        } catch  where error.code == ENOENT {
            return
        }
        if unsafe unlinkat(folder.descriptor, folder.name, 0) == 0 || errno == ENOENT { return }
        // A folder left from an interrupted creation.
        if errno == EISDIR, unsafe unlinkat(folder.descriptor, folder.name, AT_REMOVEDIR) == 0 { return }
        throw FileError("remove", path, code: errno)
    }

    package func makeLink(_ path: String, to target: String) throws(FileError) {
        let folder = try self.folder(of: path, for: "make the link")
        guard unsafe symlinkat(target, folder.descriptor, folder.name) == 0 else {
            throw FileError("make the link", path, code: errno)
        }
        let code = ownership.apply(toLink: folder.name, in: folder.descriptor)
        guard code == 0 else {
            unsafe unlinkat(folder.descriptor, folder.name, 0)
            throw FileError("set the owner of", path, code: code)
        }
    }

    /// Folder below ``root`` in which new folders are prepared.
    private static let staging = ".incoming"

    private func makeFolder(in folder: borrowing OpenFolder, _ path: String, mode: UInt32) throws(FileError) {
        guard unsafe mkdirat(folder.descriptor, folder.name, 0o700) == 0 else {
            throw FileError("make the folder", path, code: errno)
        }
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let descriptor = unsafe openat(folder.descriptor, folder.name, flags)
        var code = descriptor >= 0 ? 0 : errno
        if descriptor >= 0 {
            code = ownership.apply(to: descriptor, mode: mode)
            Glibc.close(descriptor)
        }
        guard code == 0 else {
            unsafe unlinkat(folder.descriptor, folder.name, AT_REMOVEDIR)
            throw FileError("set owner and mode of", path, code: code)
        }
    }
}
