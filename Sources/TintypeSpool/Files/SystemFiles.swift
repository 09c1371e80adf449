// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import TintypeModel

/// Calls of the operating system; follows no symbolic link below ``root``, and refuses paths that lead out of it.
package struct SystemFiles: FileSystem {
    /// Folder below which no symbolic links are followed; its own path may contain links.
    let root: String?
    let ownership: Ownership

    /// New files belong to `ownership`; without `root`, links are followed except in the last component of a path.
    package init(root: String? = nil, ownership: Ownership? = nil) {
        self.root = root
        self.ownership = ownership ?? Ownership()
    }

    package func status(of path: String, following: Bool) throws(FileError) -> FileStatus? {
        do throws(FileError) {
            return try presentStatus(of: path, following: following)
        } catch  where error.code == ENOENT {
            return nil
        }
    }

    private func presentStatus(of path: String, following: Bool) throws(FileError) -> FileStatus {
        let folder = try self.folder(of: path, for: "look at")
        var status = stat()
        let flags = following && folder.descriptor == AT_FDCWD ? 0 : AT_SYMLINK_NOFOLLOW
        guard unsafe fstatat(folder.descriptor, folder.name, &status, flags) == 0 else {
            throw FileError("look at", path, code: errno)
        }
        let kind: FileStatus.Kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        return FileStatus(
            kind: kind,
            size: Int(status.st_size),
            device: UInt64(status.st_dev),
            inode: UInt64(status.st_ino),
            links: Int(status.st_nlink),
            changedAt: max(Timestamp(status.st_mtim), Timestamp(status.st_ctim))
        )
    }

    package func create(_ path: String, mode: UInt32) throws(FileError) -> OpenFile {
        let folder = try self.folder(of: path, for: "create")
        // Mode 0600 until the owner is set, so that no other user can open it.
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = unsafe openat(folder.descriptor, folder.name, flags, 0o600)
        guard descriptor >= 0 else { throw FileError("create", path, code: errno) }
        let code = ownership.apply(to: descriptor, mode: mode)
        guard code == 0 else {
            Glibc.close(descriptor)
            unsafe unlinkat(folder.descriptor, folder.name, 0)
            throw FileError("set owner and mode of", path, code: code)
        }
        return OpenFile(descriptor: descriptor, path: path)
    }

    package func reopen(_ path: String, from offset: Int) throws(FileError) -> OpenFile {
        let folder = try self.folder(of: path, for: "open")
        let descriptor = unsafe openat(folder.descriptor, folder.name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("open", path, code: errno) }
        let end = lseek(descriptor, 0, SEEK_END)
        var code = end < offset ? EINVAL : 0
        if code == 0, end > offset, ftruncate(descriptor, offset) != 0 { code = errno }
        if code == 0, lseek(descriptor, offset, SEEK_SET) < 0 { code = errno }
        guard code == 0 else {
            Glibc.close(descriptor)
            throw FileError("write", path, code: code)
        }
        return OpenFile(descriptor: descriptor, path: path)
    }

    package func write(_ bytes: [UInt8], to file: OpenFile) throws(FileError) {
        let code = unsafe bytes.withUnsafeBytes { buffer -> Int32 in
            var written = 0
            while written < buffer.count {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
                let count = unsafe Glibc.write(file.descriptor, rest.baseAddress, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    return errno
                }
                written += count
            }
            return 0
        }
        guard code == 0 else { throw FileError("write", file.path, code: code) }
    }

    package func syncData(of file: OpenFile) throws(FileError) {
        guard fdatasync(file.descriptor) == 0 else { throw FileError("flush", file.path, code: errno) }
    }

    package func kind(of path: String) throws(FileError) -> FileSystemKind {
        let type = unsafe cv4l2_file_system_type(path)
        guard type >= 0 else { throw FileError("look at the file system of", path, code: errno) }
        return FileSystemKind(type: UInt32(truncatingIfNeeded: type))
    }

    package func beginFlush(of file: OpenFile) { _ = cv4l2_begin_flush(file.descriptor) }

    package func close(_ file: OpenFile) throws(FileError) {
        // On Linux the descriptor is closed even after EINTR (close(2)).
        guard Glibc.close(file.descriptor) == 0 || errno == EINTR else {
            throw FileError("close", file.path, code: errno)
        }
    }

    package func syncFolder(_ path: String) throws(FileError) {
        let descriptor = try openFolder(path, for: "open the folder")
        let code = fsync(descriptor) == 0 ? 0 : errno
        Glibc.close(descriptor)
        guard code == 0 else { throw FileError("flush the folder", path, code: code) }
    }

    /// Parent folder of `path`, held open if it is below ``root``.
    func folder(of path: String, for operation: String) throws(FileError) -> OpenFolder {
        guard let root, path.utf8.starts(with: "\(root)/".utf8) else { return OpenFolder(path: path) }
        return try OpenFolder(of: path, below: root, for: operation)
    }

    /// Opens the folder `path`; the caller closes the descriptor.
    func openFolder(_ path: String, for operation: String) throws(FileError) -> Int32 {
        let folder = try self.folder(of: path, for: operation)
        // The path of the root may contain links.
        let isBelow = folder.descriptor != AT_FDCWD
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (isBelow ? O_NOFOLLOW : 0)
        let descriptor = unsafe openat(folder.descriptor, folder.name, flags)
        guard descriptor >= 0 else { throw FileError(operation, path, code: errno) }
        return descriptor
    }
}

/// The parent folder of an entry, held open so that no program can swap it meanwhile.
struct OpenFolder: ~Copyable {
    /// AT_FDCWD if ``name`` is a whole path.
    let descriptor: Int32
    /// Name in that folder, or a path.
    let name: String

    /// A path without checks.
    init(path: String) {
        (descriptor, name) = (AT_FDCWD, path)
    }

    /// Opens the folder of `path`, which is below `root`, without following links or going up.
    ///
    /// Throws EINVAL if a component is empty, `.`, `..` or contains NUL, and ENOTDIR if a link or a file is in the way.
    init(of path: String, below root: String, for operation: String) throws(FileError) {
        // Split by bytes, as the kernel does: a Swift character can consist of several, including the slash before it.
        let parts = path.utf8.dropFirst(root.utf8.count + 1)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard let name = parts.last, parts.allSatisfy(Self.isName) else {
            throw FileError(operation, path, code: EINVAL)
        }
        var folder = unsafe Glibc.open(root, Self.flags)
        guard folder >= 0 else { throw FileError(operation, path, code: errno) }
        for part in parts.dropLast() {
            let inner = unsafe openat(folder, part, Self.flags | O_NOFOLLOW)
            let code = errno
            Glibc.close(folder)
            guard inner >= 0 else { throw FileError(operation, path, code: code) }
            folder = inner
        }
        descriptor = folder
        self.name = name
    }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

    private static let flags = O_RDONLY | O_DIRECTORY | O_NOCTTY | O_CLOEXEC

    private static func isName(_ part: String) -> Bool {
        !part.isEmpty && part != "." && part != ".." && !part.utf8.contains(0)
    }
}
