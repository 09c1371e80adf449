// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Glibc
internal import TintypeModel

extension SystemCalls {
    /// True if `path` is a regular file that this process may execute (access(2)).
    static func mayRun(_ path: String) -> Bool {
        guard let mode = try? mode(path), mode & S_IFMT == S_IFREG else { return false }
        return unsafe access(path, X_OK) == 0
    }

    /// True if this process ignores a signal, for example after nohup(1) (sigaction(2)).
    static func isIgnored(_ signal: CInt) -> Bool {
        let action = UnsafeMutablePointer<sigaction>.allocate(capacity: 1)
        defer { unsafe action.deallocate() }
        guard unsafe sigaction(signal, nil, action) == 0 else { return false }
        // The handler is the first member. SIG_IGN, a macro that Swift cannot compare, is 1.
        return unsafe UnsafeRawPointer(action).load(as: UInt.self) == 1
    }

    /// Connected pair of unnamed sockets with close-on-exec (socketpair(2)).
    static func socketPair() throws(SystemError) -> (CInt, CInt) {
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        try result { unsafe socketpair(AF_UNIX, kind, 0, &ends) }
        return (ends[0], ends[1])
    }

    // MARK: - Inspection

    /// Properties of a file, following links (stat(2)).
    struct FileFacts: Hashable {
        let mode: mode_t
        let owner: uid_t
        let group: gid_t
        /// Device number of a node (`st_rdev`).
        let device: dev_t

        var isCharacterDevice: Bool { mode & S_IFMT == S_IFCHR }
    }

    static func facts(_ path: String) throws(SystemError) -> FileFacts {
        var status = stat()
        try result { unsafe fstatat(AT_FDCWD, path, &status, 0) }
        return FileFacts(mode: status.st_mode, owner: status.st_uid, group: status.st_gid, device: status.st_rdev)
    }

    /// True if `path` leads to the file of stdout; false if stdout was closed (``StandardStream/prepare()``).
    static func isStandardOutput(_ path: String) -> Bool {
        guard fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE != O_RDONLY else { return false }
        var (file, output) = (stat(), stat())
        guard unsafe fstatat(AT_FDCWD, path, &file, 0) == 0, unsafe fstat(STDOUT_FILENO, &output) == 0 else {
            return false
        }
        return file.st_dev == output.st_dev && file.st_ino == output.st_ino
    }

    /// Unresolved target of a symbolic link; nil for other files (readlink(2)).
    static func link(_ path: String) -> String? { try? FileManager.default.destinationOfSymbolicLink(atPath: path) }

    /// Group name, or the gid if it has none (getgrgid_r(3)).
    static func groupName(_ id: gid_t) -> String {
        var entry = unsafe group()
        var found: UnsafeMutablePointer<group>?
        var buffer = [CChar](repeating: 0, count: 65_536)
        guard unsafe getgrgid_r(id, &entry, &buffer, buffer.count, &found) == 0, unsafe found != nil else {
            return "\(id)"
        }
        return unsafe String(cString: entry.gr_name)
    }

    /// Process that listens at a Unix socket, nil if unknown, without blocking (connect(2), SO_PEERCRED of unix(7)).
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
        // 0: a process in a PID namespace that is not visible from here.
        return credentials[0] == 0 ? nil : pid_t(credentials[0])
    }
}
