// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import TintypeModel
internal import TintypeSystem

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

    /// Marks a call in the `CallRecord` of the thread, since a disk may never answer, and names its failure.
    private func call<Value>(
        _ operation: String,
        _ path: String,
        _ body: () throws(CallFailure) -> Value
    ) throws(FileError) -> Value {
        do throws(CallFailure) {
            return try CallRecord.marking(body)
        } catch {
            throw FileError(error.operation ?? operation, path, code: error.code)
        }
    }

    /// As ``call(_:_:_:)``, with the parent folder of `path` open.
    private func call<Value>(
        _ operation: String,
        at path: String,
        _ body: (borrowing OpenFolder) throws(CallFailure) -> Value
    ) throws(FileError) -> Value {
        try call(operation, path) { () throws(CallFailure) in
            let folder = try folder(of: path)
            return try body(folder)
        }
    }

    /// Parent folder of `path`, held open if it is below ``root``.
    private func folder(of path: String) throws(CallFailure) -> OpenFolder {
        guard let root, path.utf8.starts(with: "\(root)/".utf8) else { return OpenFolder(path: path) }
        return try OpenFolder(of: path, below: root)
    }

    private func openFolder(_ path: String) throws(CallFailure) -> Descriptor {
        let folder = try folder(of: path)
        // The path of the root may contain links.
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (folder.descriptor == AT_FDCWD ? 0 : O_NOFOLLOW)
        return Descriptor(number: try checked(unsafe openat(folder.descriptor, folder.name, flags)))
    }

    // MARK: - Files

    package func status(of path: String, following: Bool) throws(FileError) -> FileStatus? {
        try call("look at", path) { () throws(CallFailure) in
            do throws(CallFailure) {
                return try folder(of: path).status(following: following)
            } catch  where error.code == ENOENT {
                return nil
            }
        }
    }

    package func create(_ path: String, mode: UInt32) throws(FileError) -> OpenFile {
        try call("create", at: path) { folder throws(CallFailure) in
            // Mode 0600 until the owner is set, so that no other user can open it.
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            let file = Descriptor(number: try checked(unsafe openat(folder.descriptor, folder.name, flags, 0o600)))
            let code = ownership.apply(to: file.number, mode: mode)
            guard code == 0 else {
                unsafe unlinkat(folder.descriptor, folder.name, 0)
                throw CallFailure(code: code, operation: "set owner and mode of")
            }
            return OpenFile(descriptor: file.release(), path: path)
        }
    }

    package func reopen(_ path: String, from offset: Int) throws(FileError) -> OpenFile {
        try call("write", at: path) { folder throws(CallFailure) in
            let flags = O_WRONLY | O_NOFOLLOW | O_CLOEXEC
            let file = Descriptor(number: try checked(unsafe openat(folder.descriptor, folder.name, flags), "open"))
            let end = lseek(file.number, 0, SEEK_END)
            guard end >= offset else { throw CallFailure(code: EINVAL) }
            if end > offset { try checked(ftruncate(file.number, offset)) }
            try checked(lseek(file.number, offset, SEEK_SET))
            return OpenFile(descriptor: file.release(), path: path)
        }
    }

    package func write(_ bytes: [UInt8], to file: OpenFile) throws(FileError) {
        try call("write", file.path) { () throws(CallFailure) in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = unsafe rest.withUnsafeBytes { buffer in
                    unsafe Glibc.write(file.descriptor, buffer.baseAddress, buffer.count)
                }
                if count < 0, errno == EINTR { continue }
                rest = rest.dropFirst(try checked(count))
            }
        }
    }

    package func syncData(of file: OpenFile) throws(FileError) {
        try call("flush", file.path) { () throws(CallFailure) in _ = try checked(fdatasync(file.descriptor)) }
    }

    package func beginFlush(of file: OpenFile) { CallRecord.marking { _ = cv4l2_begin_flush(file.descriptor) } }

    package func close(_ file: OpenFile) throws(FileError) {
        try call("close", file.path) { () throws(CallFailure) in
            // On Linux the descriptor is closed even after EINTR (close(2)).
            if Glibc.close(file.descriptor) != 0, errno != EINTR { throw CallFailure(code: errno) }
        }
    }

    package func read(_ path: String, atMost limit: Int) throws(FileError) -> [UInt8] {
        try read(path, atMost: limit, nil)
    }

    package func read(_ path: String, _ part: Range<Int>) throws(FileError) -> [UInt8] {
        try read(path, atMost: .max, part)
    }

    private func read(_ path: String, atMost limit: Int, _ part: Range<Int>?) throws(FileError) -> [UInt8] {
        try call("read", at: path) { folder throws(CallFailure) in
            let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
            let file = Descriptor(number: try checked(unsafe openat(folder.descriptor, folder.name, flags), "open"))
            var status = stat()
            try checked(unsafe fstat(file.number, &status))
            let kind = status.st_mode & S_IFMT
            guard kind == S_IFREG else { throw CallFailure(code: kind == S_IFDIR ? EISDIR : ENOTSUP) }
            guard status.st_size <= limit else { throw CallFailure(code: EFBIG) }
            if let part { try checked(lseek(file.number, part.lowerBound, SEEK_SET)) }
            // Files of procfs report a size of 0.
            return try file.read(atMost: part?.count ?? max(Int(status.st_size), 4096))
        }
    }

    // MARK: - Names

    package func makeFolder(_ path: String, mode: UInt32) throws(FileError) {
        try call("make the folder", at: path) { folder throws(CallFailure) in
            // The spool's own folders, and paths that are not below the root.
            guard let root, folder.descriptor != AT_FDCWD, !folder.name.hasPrefix(".") else {
                return try folder.make(mode: mode, ownership)
            }
            // Created elsewhere and renamed: it never has the wrong owner or mode here, even if the process dies.
            let number = String(UInt64.random(in: 0 ... .max), radix: 16)
            let other = try self.folder(of: "\(root)/.incoming/folder-\(number)")
            try other.make(mode: mode, ownership)
            let code = SystemCalls.renameWithoutReplacing(other, to: folder)
            guard code != 0 else { return }
            unsafe unlinkat(other.descriptor, other.name, AT_REMOVEDIR)
            if code == EINVAL || code == ENOSYS { return try folder.make(mode: mode, ownership) }
            throw CallFailure(code: code)
        }
    }

    package func move(_ path: String, to other: String) throws(FileError) {
        try call("rename \(path) to", at: other) { to throws(CallFailure) in
            let from = try folder(of: path)
            var code = SystemCalls.renameWithoutReplacing(from, to: to)
            if code == EINVAL || code == ENOSYS {
                // File systems without the flag, such as NFS: link(2) does not replace either.
                code = unsafe linkat(from.descriptor, from.name, to.descriptor, to.name, 0) == 0 ? 0 : errno
                if code == 0, unsafe unlinkat(from.descriptor, from.name, 0) != 0 {
                    code = errno
                    unsafe unlinkat(to.descriptor, to.name, 0)
                }
            }
            let flags = AT_SYMLINK_NOFOLLOW
            var status = stat()
            if code == EPERM, unsafe fstatat(to.descriptor, to.name, &status, flags) != 0, errno == ENOENT {
                // exFAT has no hard links; the daemon's lock keeps other daemons from creating that name meanwhile.
                code = unsafe renameat(from.descriptor, from.name, to.descriptor, to.name) == 0 ? 0 : errno
            }
            guard code == 0 else { throw CallFailure(code: code) }
        }
    }

    package func replace(_ other: String, by path: String) throws(FileError) {
        try call("rename \(path) to", at: other) { to throws(CallFailure) in
            let from = try folder(of: path)
            try checked(unsafe renameat(from.descriptor, from.name, to.descriptor, to.name))
        }
    }

    package func syncFolder(_ path: String) throws(FileError) {
        try call("flush the folder", path) { () throws(CallFailure) in
            let folder = try openFolder(path)
            try checked(fsync(folder.number))
        }
    }

    package func remove(_ path: String) throws(FileError) {
        try call("remove", path) { () throws(CallFailure) in
            do throws(CallFailure) {
                let folder = try folder(of: path)
                if unsafe unlinkat(folder.descriptor, folder.name, 0) == 0 { return }
                // A folder left from an interrupted creation.
                if errno == EISDIR, unsafe unlinkat(folder.descriptor, folder.name, AT_REMOVEDIR) == 0 { return }
                throw CallFailure(code: errno)
            } catch  where error.code == ENOENT {}
        }
    }

    package func makeLink(_ path: String, to target: String) throws(FileError) {
        try call("make the link", at: path) { folder throws(CallFailure) in
            try checked(unsafe symlinkat(target, folder.descriptor, folder.name))
            let code = ownership.apply(toLink: folder.name, in: folder.descriptor)
            guard code == 0 else {
                unsafe unlinkat(folder.descriptor, folder.name, 0)
                throw CallFailure(code: code, operation: "set the owner of")
            }
        }
    }

    package func target(ofLink path: String) throws(FileError) -> String {
        try call("read the link", at: path) { folder throws(CallFailure) in
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = try checked(unsafe readlinkat(folder.descriptor, folder.name, &buffer, buffer.count))
            return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }

    package func names(in folder: String) throws(FileError) -> [String] {
        try call("list", folder) { () throws(CallFailure) in
            let descriptor = try openFolder(folder)
            guard let stream = unsafe fdopendir(descriptor.number) else { throw CallFailure(code: errno) }
            _ = descriptor.release()
            defer { unsafe closedir(stream) }
            var names: [String] = []
            while true {
                errno = 0
                guard let entry = unsafe readdir(stream) else { break }
                let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                    unsafe String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
                }
                if name != ".", name != ".." { names.append(name) }
            }
            guard errno == 0 else { throw CallFailure(code: errno) }
            return names.sorted()
        }
    }

    // MARK: - File systems and locks

    package func kind(of path: String) throws(FileError) -> FileSystemKind {
        try call("look at the file system of", path) { () throws(CallFailure) in
            FileSystemKind(type: UInt32(truncatingIfNeeded: try checked(unsafe cv4l2_file_system_type(path))))
        }
    }

    package func availableBytes(at path: String) throws(FileError) -> UInt64 {
        try call("look at the file system of", path) { () throws(CallFailure) in
            let folder = try openFolder(path)
            var status = statvfs()
            try checked(unsafe fstatvfs(folder.number, &status))
            return SystemCalls.bytes(UInt64(status.f_bavail), of: UInt64(status.f_frsize))
        }
    }

    package func lock(_ path: String, mode: UInt32?) throws(FileError) -> OpenFile? {
        try call("lock", path) { () throws(CallFailure) in
            let flags = mode == nil ? O_RDONLY | O_DIRECTORY : O_RDWR | O_CREAT | O_NOFOLLOW
            let descriptor = unsafe open(path, flags | O_CLOEXEC, mode ?? 0)
            let file = Descriptor(number: try checked(descriptor, mode == nil ? "open the folder" : "create"))
            guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
                if errno == EWOULDBLOCK { return nil }
                throw CallFailure(code: errno)
            }
            if let mode, ownership != Ownership() {
                let code = ownership.apply(to: file.number, mode: mode)
                guard code == 0 else { throw CallFailure(code: code) }
            }
            return OpenFile(descriptor: file.release(), path: path)
        }
    }

    package func unlock(_ file: OpenFile) throws(FileError) {
        // Closing is not enough while a forked child that has not yet called exec(3) shares the descriptor.
        let code = CallRecord.marking { flock(file.descriptor, LOCK_UN) == 0 ? 0 : errno }
        try close(file)
        guard code == 0 else { throw FileError("unlock", file.path, code: code) }
    }
}
