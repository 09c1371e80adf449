// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

/// System calls of this command, including all that take pointers.
enum SystemCalls {
    /// Creates an empty file; fails if it exists (open(2) with O_EXCL).
    static func create(_ path: String, mode: mode_t) throws(SystemError) -> CInt {
        try result { unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode) }
    }

    /// Unnamed file in `folder` (open(2) with `O_TMPFILE`, a macro that Swift does not import); nil on any failure.
    static func createUnnamed(in folder: String, mode: mode_t) -> CInt? {
        // Naming the file needs /proc.
        guard unsafe access("/proc/self/fd", X_OK) == 0 else { return nil }
        let flags = 0o20_000_000 | O_DIRECTORY | O_WRONLY | O_CLOEXEC
        return try? result { unsafe Glibc.open(folder, flags, mode) }
    }

    /// Names an unnamed open file; fails if `path` exists (linkat(2)).
    static func link(_ descriptor: CInt, to path: String) throws(SystemError) {
        try result { unsafe linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) }
    }

    /// Creates the file if it does not exist, with `mode` whatever the umask: the daemon is another user.
    static func openForAppending(_ path: String, mode: mode_t) throws(SystemError) -> CInt {
        let isNew = unsafe access(path, F_OK) != 0
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY
        let descriptor = try result { unsafe Glibc.open(path, flags, mode) }
        if isNew { _ = fchmod(descriptor, mode) }
        return descriptor
    }

    /// Waits for the lock of the file (flock(2)), which ends with the descriptor.
    static func lock(_ descriptor: CInt) throws(SystemError) { try result { flock(descriptor, LOCK_EX) } }

    static func size(of descriptor: CInt) throws(SystemError) -> CInt {
        try result { CInt(clamping: lseek(descriptor, 0, SEEK_END)) }
    }

    static func openForWriting(_ path: String) throws(SystemError) -> CInt {
        try result { unsafe Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY) }
    }

    /// Opens `/dev/null` read-only on the lowest free descriptor.
    static func openNull() throws(SystemError) -> CInt { try result { unsafe Glibc.open("/dev/null", O_RDONLY) } }

    /// Blocks until all bytes are written.
    static func write(_ bytes: [UInt8], to descriptor: CInt) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            do throws(SystemError) {
                written += try writeSome(bytes, from: written, to: descriptor)
            } catch {
                guard error.code == EAGAIN else { throw error }
                // Another process that shares the pipe has set O_NONBLOCK.
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                try result { unsafe poll(&waiting, 1, -1) }
            }
        }
    }

    private static func writeSome(_ bytes: [UInt8], from offset: Int, to descriptor: CInt) throws(SystemError) -> Int {
        let rest = unsafe bytes.span.bytes.extracting(offset...)
        return try unsafe rest.withUnsafeBytes { buffer throws(SystemError) in
            // At most 1 GiB at once: the count must fit CInt.
            Int(try result { unsafe CInt(Glibc.write(descriptor, buffer.baseAddress, min(buffer.count, 1 << 30))) })
        }
    }

    /// Mode and type of a file, following links; nil if it does not exist.
    static func mode(_ path: String) throws(SystemError) -> mode_t? {
        do throws(SystemError) {
            return try facts(path).mode
        } catch  where error.code == ENOENT {
            return nil
        }
    }

    static func isFolder(_ path: String) -> Bool { (try? mode(path)).map { $0 & S_IFMT == S_IFDIR } ?? false }

    /// Fails unless this user may create files in `folder` (access(2)).
    static func checkWritable(_ folder: String) throws(SystemError) {
        try result { unsafe access(folder, W_OK | X_OK) }
    }

    /// Path without symbolic links (realpath(3)); nil if the file does not exist.
    static func resolve(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    static func rename(_ source: String, to target: String) throws(SystemError) {
        try result { unsafe Glibc.rename(source, target) }
    }

    /// Formats `time` in the local time zone (strftime(3)); nil if the result exceeds PATH_MAX.
    static func formatted(_ pattern: String, _ time: Timestamp) -> String? {
        guard !pattern.isEmpty else { return "" }
        var seconds = time_t(time.microseconds / 1_000_000)
        var parts = unsafe tm()
        guard unsafe localtime_r(&seconds, &parts) != nil else { return nil }
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let length = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe strftime(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, pattern, &parts)
        }
        return length == 0 ? nil : String(decoding: buffer.prefix(length), as: UTF8.self)
    }

    /// First command line argument that is not UTF-8; `CommandLine.arguments` repairs it silently.
    static var malformedArgument: String? {
        let arguments = CommandLine.arguments
        let first = arguments.indices.first { index in
            guard let word = unsafe CommandLine.unsafeArgv[index] else { return false }
            return unsafe String(validatingCString: word) == nil
        }
        return first.map { arguments[$0] }
    }

    /// Columns of a terminal; nil if unknown (ioctl(2) with TIOCGWINSZ).
    static func terminalWidth(of descriptor: CInt) -> Int? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    static func remove(_ path: String) { _ = unsafe unlink(path) }

    /// Sets the times of access and modification (futimens(3)).
    static func setTimes(of descriptor: CInt, to time: Timestamp) throws(SystemError) {
        let (seconds, rest) = time.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        let stamp = timespec(tv_sec: time_t(seconds), tv_nsec: Int(rest) * 1000)
        try result { unsafe futimens(descriptor, [stamp, stamp]) }
    }

    /// Repeats a system call interrupted by a signal (EINTR); throws any other error.
    @discardableResult
    static func result(_ call: () -> CInt) throws(SystemError) -> CInt {
        while true {
            let value = call()
            if value >= 0 { return value }
            let code = errno
            if code != EINTR { throw SystemError(code: code) }
        }
    }

    // MARK: - Files and folders

    /// Creates a folder and its missing parents; an existing folder is no error (mkdir(2)).
    static func makeFolders(_ path: String, mode: mode_t = 0o777) throws(SystemError) {
        guard !isFolder(path) else { return }
        let parent = path.enclosingFolder
        if parent != path { try makeFolders(parent, mode: mode) }
        do throws(SystemError) {
            try result { unsafe mkdir(path, mode) }
        } catch  where error.code == EEXIST {
            guard isFolder(path) else { throw SystemError(code: ENOTDIR) }
        }
    }
}

final class OpenFile {
    private let descriptor: CInt

    /// Does not follow a link; throws EINVAL for what is no regular file.
    init(_ path: String) throws(SystemError) {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        descriptor = try SystemCalls.result { unsafe Glibc.open(path, flags) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw SystemError(code: EINVAL)
        }
    }

    deinit { _ = close(descriptor) }

    /// Next bytes, fewer than `size` only at the end of the file; blocks.
    func read(_ size: Int) throws(SystemError) -> [UInt8] {
        var failure: CInt = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
            filled = 0
            while filled < size {
                let rest = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...]
                )
                let count = unsafe Glibc.read(descriptor, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                if count < 0 { failure = errno }
                guard count > 0 else { break }
                filled += count
            }
        }
        guard failure == 0 else { throw SystemError(code: failure) }
        return bytes
    }
}

struct SystemError: Error, Hashable, CustomStringConvertible {
    let code: CInt

    /// True if another file has the name, or no file can have it.
    var isOfName: Bool { [EEXIST, ENAMETOOLONG, ENOTDIR, EISDIR].contains(code) }
    var description: String { ErrnoText.of(code) }
}
