// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Glibc
internal import TintypeModel

/// Looking at files and processes of others; nothing here opens a device.
extension SystemCalls {
    /// The properties of a file (stat(2)), links followed.
    struct FileFacts: Hashable {
        let mode: mode_t
        let owner: uid_t
        let group: gid_t
        /// Which device a node stands for (`st_rdev`).
        let device: dev_t

        var isCharacterDevice: Bool { mode & S_IFMT == S_IFCHR }
    }

    static func facts(_ path: String) throws(SystemError) -> FileFacts {
        var status = stat()
        try result { unsafe fstatat(AT_FDCWD, path, &status, 0) }
        return FileFacts(mode: status.st_mode, owner: status.st_uid, group: status.st_gid, device: status.st_rdev)
    }

    /// Whether `path` leads to the file, pipe or device that is stdout (stat(2), fstat(2)).
    ///
    /// A closed one is none: it is /dev/null by now, and cannot be written to (``StandardStream/prepare()``).
    static func isStandardOutput(_ path: String) -> Bool {
        guard fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE != O_RDONLY else { return false }
        var (file, output) = (stat(), stat())
        guard unsafe fstatat(AT_FDCWD, path, &file, 0) == 0, unsafe fstat(STDOUT_FILENO, &output) == 0 else {
            return false
        }
        return file.st_dev == output.st_dev && file.st_ino == output.st_ino
    }

    /// The names in a folder, in no order (opendir(3)).
    static func entries(_ folder: String) throws(SystemError) -> [String] {
        guard let stream = unsafe opendir(folder) else { throw SystemError(code: errno) }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            // In place: the entry is as long as its name, so a copy of all that `dirent` has reads beyond the buffer.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Where a link leads, as it is written; nil if it is none (readlink(2)).
    static func link(_ path: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: path)
    }

    /// The name of a user, or its number where it has none (getpwuid_r(3)).
    static func userName(_ id: uid_t) -> String {
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 65_536)
        guard unsafe getpwuid_r(id, &entry, &buffer, buffer.count, &found) == 0, unsafe found != nil else {
            return "\(id)"
        }
        return unsafe String(cString: entry.pw_name)
    }

    /// The name of a group, or its number where it has none (getgrgid_r(3)).
    static func groupName(_ id: gid_t) -> String {
        var entry = unsafe group()
        var found: UnsafeMutablePointer<group>?
        var buffer = [CChar](repeating: 0, count: 65_536)
        guard unsafe getgrgid_r(id, &entry, &buffer, buffer.count, &found) == 0, unsafe found != nil else {
            return "\(id)"
        }
        return unsafe String(cString: entry.gr_name)
    }

    /// The process that listens at a Unix socket; nil where that cannot be told (connect(2), SO_PEERCRED of unix(7)).
    ///
    /// Does not wait: a full backlog makes connect fail.
    static func listener(at path: String) -> pid_t? {
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        guard path.utf8.count <= UnixAddress.longestPath,
            unsafe UnixAddress.with(path.utf8, { unsafe connect(descriptor, $0, $1) }) == 0
        else { return nil }
        // struct ucred: pid, uid and gid, 32 bits each.
        var credentials: [UInt32] = [0, 0, 0]
        var length = socklen_t(12)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
        // 0: a process of a namespace that cannot be seen from here.
        return credentials[0] == 0 ? nil : pid_t(credentials[0])
    }
}
