// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The files of the machine.
package struct SystemFiles: FileSystem {
    /// The files of the machine.
    package init() {}

    package func status(of path: String, following: Bool) throws(FileError) -> FileStatus? {
        var status = stat()
        let result = unsafe following ? stat(path, &status) : lstat(path, &status)
        guard result == 0 else {
            if errno == ENOENT { return nil }
            throw FileError("look at", path, code: errno)
        }
        let kind: FileStatus.Kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        return FileStatus(kind: kind, size: Int(status.st_size), device: UInt64(status.st_dev))
    }

    package func makeFolder(_ path: String, mode: UInt32) throws(FileError) {
        guard unsafe mkdir(path, mode) == 0 else { throw FileError("make the folder", path, code: errno) }
        // The process's umask may have taken bits away.
        guard unsafe chmod(path, mode) == 0 else { throw FileError("set the mode of", path, code: errno) }
    }

    package func create(_ path: String, mode: UInt32) throws(FileError) -> OpenFile {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw FileError("create", path, code: errno) }
        guard fchmod(descriptor, mode) == 0 else {
            let code = errno
            Glibc.close(descriptor)
            unsafe unlink(path)
            throw FileError("set the mode of", path, code: code)
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

    package func close(_ file: OpenFile) throws(FileError) {
        // After EINTR the descriptor is closed all the same on Linux (close(2)).
        guard Glibc.close(file.descriptor) == 0 || errno == EINTR else {
            throw FileError("close", file.path, code: errno)
        }
    }

    package func move(_ path: String, to other: String) throws(FileError) {
        var code = SystemCalls.renameWithoutReplacing(path, other)
        if code == EINVAL || code == ENOSYS {
            // A file system that does not know the flag, such as NFS: link(2) does not replace either.
            code = unsafe link(path, other) == 0 ? 0 : errno
            if code == 0, unsafe unlink(path) != 0 { code = errno }
        }
        guard code == 0 else { throw FileError("rename \(path) to", other, code: code) }
    }

    package func replace(_ other: String, by path: String) throws(FileError) {
        guard unsafe rename(path, other) == 0 else { throw FileError("rename \(path) to", other, code: errno) }
    }

    package func syncFolder(_ path: String) throws(FileError) {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("open the folder", path, code: errno) }
        let code = fsync(descriptor) == 0 ? 0 : errno
        Glibc.close(descriptor)
        guard code == 0 else { throw FileError("flush the folder", path, code: code) }
    }

    package func remove(_ path: String) throws(FileError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw FileError("remove", path, code: errno) }
    }
}
