// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension SystemFiles {
    package func target(ofLink path: String) throws(FileError) -> String {
        let folder = try self.folder(of: path, for: "read the link")
        let (target, code) = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let base = buffer.baseAddress else { return ("", ENOMEM) }
            let count = unsafe readlinkat(folder.descriptor, folder.name, base, buffer.count)
            guard count >= 0 else { return ("", errno) }
            return unsafe (String(decoding: UnsafeRawBufferPointer(buffer).prefix(count), as: UTF8.self), 0)
        }
        guard code == 0 else { throw FileError("read the link", path, code: code) }
        return target
    }

    package func names(in folder: String) throws(FileError) -> [String] {
        let descriptor = try openFolder(folder, for: "list")
        guard let stream = unsafe fdopendir(descriptor) else {
            let code = errno
            Glibc.close(descriptor)
            throw FileError("list", folder, code: code)
        }
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
        guard errno == 0 else { throw FileError("list", folder, code: errno) }
        return names.sorted()
    }

    package func read(_ path: String, atMost limit: Int) throws(FileError) -> [UInt8] {
        try read(path, atMost: limit, nil)
    }

    package func read(_ path: String, _ part: Range<Int>) throws(FileError) -> [UInt8] {
        try read(path, atMost: .max, part)
    }

    private func read(_ path: String, atMost limit: Int, _ part: Range<Int>?) throws(FileError) -> [UInt8] {
        let folder = try self.folder(of: path, for: "open")
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let descriptor = unsafe openat(folder.descriptor, folder.name, flags)
        guard descriptor >= 0 else { throw FileError("open", path, code: errno) }
        defer { Glibc.close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw FileError("look at", path, code: errno) }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG else { throw FileError("read", path, code: kind == S_IFDIR ? EISDIR : ENOTSUP) }
        guard status.st_size <= limit else { throw FileError("read", path, code: EFBIG) }
        var code: Int32 = 0
        if let part, lseek(descriptor, part.lowerBound, SEEK_SET) < 0 { code = errno }
        // Files of procfs report a size of 0.
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: part?.count ?? max(Int(status.st_size), 4096)) {
            buffer,
            filled in
            filled = 0
            while filled < buffer.count {
                let rest = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...]
                )
                let count = unsafe Glibc.read(descriptor, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                if count < 0 { code = errno }
                if count <= 0 { break }
                filled += count
            }
        }
        guard code == 0 else { throw FileError("read", path, code: code) }
        return bytes
    }

    /// True if permissions and file system let this process write to the file (access(2)).
    static func isWritable(_ path: String) -> Bool { unsafe access(path, W_OK) == 0 }

    package func availableBytes(at path: String) throws(FileError) -> UInt64 {
        let descriptor = try openFolder(path, for: "look at the file system of")
        defer { Glibc.close(descriptor) }
        var status = statvfs()
        guard unsafe fstatvfs(descriptor, &status) == 0 else {
            throw FileError("look at the file system of", path, code: errno)
        }
        return SystemCalls.bytes(UInt64(status.f_bavail), of: UInt64(status.f_frsize))
    }

    package func lock(_ path: String, mode: UInt32?) throws(FileError) -> OpenFile? {
        let flags = mode == nil ? O_RDONLY | O_DIRECTORY : O_RDWR | O_CREAT | O_NOFOLLOW
        let descriptor = unsafe open(path, flags | O_CLOEXEC, mode ?? 0)
        guard descriptor >= 0 else {
            throw FileError(mode == nil ? "open the folder" : "create", path, code: errno)
        }
        var code = flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
        if code == 0, let mode, ownership != Ownership() { code = ownership.apply(to: descriptor, mode: mode) }
        guard code == 0 else {
            Glibc.close(descriptor)
            if code == EWOULDBLOCK { return nil }
            throw FileError("lock", path, code: code)
        }
        return OpenFile(descriptor: descriptor, path: path)
    }

    package func unlock(_ file: OpenFile) throws(FileError) {
        // Closing is not enough while a forked child that has not yet called exec(3) shares the descriptor.
        let code = flock(file.descriptor, LOCK_UN) == 0 ? 0 : errno
        try close(file)
        guard code == 0 else { throw FileError("unlock", file.path, code: code) }
    }
}
