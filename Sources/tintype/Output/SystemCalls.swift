// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

/// The system calls of this command: every one that takes a pointer is here.
enum SystemCalls {
    /// A new, empty file; fails where there is one of this name already (open(2) with O_EXCL).
    static func create(_ path: String, mode: mode_t) throws(SystemError) -> CInt {
        try result { unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode) }
    }

    /// A new, empty file without a name in `folder`; nil where that cannot be had, whatever the reason.
    ///
    /// The system call is `open` with `O_TMPFILE`, which is a macro that Swift does not see.
    static func createUnnamed(in folder: String, mode: mode_t) -> CInt? {
        // Without /proc it could not get a name.
        guard unsafe access("/proc/self/fd", X_OK) == 0 else { return nil }
        let flags = 0o20_000_000 | O_DIRECTORY | O_WRONLY | O_CLOEXEC
        return try? result { unsafe Glibc.open(folder, flags, mode) }
    }

    /// Gives an open file without a name the name `path`, which no other has (linkat(2)).
    static func link(_ descriptor: CInt, to path: String) throws(SystemError) {
        try result {
            unsafe linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, path, AT_SYMLINK_FOLLOW)
        }
    }

    /// A file that is there already, to write to.
    static func openForWriting(_ path: String) throws(SystemError) -> CInt {
        try result { unsafe Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY) }
    }

    /// `/dev/null` on the lowest free descriptor, such that writing to it fails.
    static func openNull() throws(SystemError) -> CInt {
        try result { unsafe Glibc.open("/dev/null", O_RDONLY) }
    }

    /// Writes all of `bytes`; blocks.
    static func write(_ bytes: [UInt8], to descriptor: CInt) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            do throws(SystemError) {
                written += try writeSome(bytes, from: written, to: descriptor)
            } catch {
                guard error.code == EAGAIN else { throw error }
                // Another process that has the pipe as well has made it non-blocking (O_NONBLOCK).
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                try result { unsafe poll(&waiting, 1, -1) }
            }
        }
    }

    private static func writeSome(
        _ bytes: [UInt8],
        from offset: Int,
        to descriptor: CInt
    ) throws(SystemError) -> Int {
        let rest = unsafe bytes.span.bytes.extracting(offset...)
        return try unsafe rest.withUnsafeBytes { buffer throws(SystemError) in
            // At most 1 GiB at once, so that the count fits the result.
            Int(try result { unsafe CInt(Glibc.write(descriptor, buffer.baseAddress, min(buffer.count, 1 << 30))) })
        }
    }

    /// The mode of the file at `path` with its type, links followed; nil if there is none.
    static func mode(_ path: String) throws(SystemError) -> mode_t? {
        do throws(SystemError) {
            return try facts(path).mode
        } catch {
            guard error.code == ENOENT else { throw error }
            return nil
        }
    }

    /// Fails unless this user may make files in `folder` (access(2)).
    static func checkWritable(_ folder: String) throws(SystemError) {
        try result { unsafe access(folder, W_OK | X_OK) }
    }

    /// The path without links; nil if it does not lead to a file.
    static func resolve(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// Gives `source` the name `target`, in the place of what had it.
    static func rename(_ source: String, to target: String) throws(SystemError) {
        try result { unsafe Glibc.rename(source, target) }
    }

    /// `pattern` with the fields of strftime(3) filled in for `time` in the local time zone; nil for more than PATH_MAX.
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

    /// The first argument of the command line that is not UTF-8, which `CommandLine.arguments` turns into another one.
    static var malformedArgument: String? {
        let arguments = CommandLine.arguments
        let first = arguments.indices.first { index in
            guard let word = unsafe CommandLine.unsafeArgv[index] else { return false }
            return unsafe String(validatingCString: word) == nil
        }
        return first.map { arguments[$0] }
    }

    /// The columns of a terminal; nil where that cannot be told (ioctl(2) with TIOCGWINSZ).
    static func terminalWidth(of descriptor: CInt) -> Int? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    static func remove(_ path: String) { _ = unsafe unlink(path) }

    /// Runs a system call again while a signal interrupts it.
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

    /// The bytes of a regular file that is exactly so long; nil if it is anything else or may not be read.
    ///
    /// The last part of the path is not followed if it is a link.
    static func file(_ path: String, of size: Int) -> [UInt8]? {
        guard let descriptor = try? result({ unsafe Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) })
        else { return nil }
        defer { _ = close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) == size
        else { return nil }
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
            filled = 0
            while filled < size {
                let rest = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...]
                )
                let count = unsafe Glibc.read(descriptor, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                filled += count
            }
        }
        return bytes.count == size ? bytes : nil
    }

    /// Makes a folder and those above it that are not there; one that is there is no error (mkdir(2)).
    static func makeFolders(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            try result { unsafe mkdir(path, 0o777) }
        } catch {
            switch error.code {
            case EEXIST:
                guard try facts(path).mode & S_IFMT == S_IFDIR else { throw SystemError(code: ENOTDIR) }
            case ENOENT:
                guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { throw error }
                try makeFolders(String(path[..<slash]))
                try result { unsafe mkdir(path, 0o777) }
            default: throw error
            }
        }
    }
}

/// The error number of a system call.
struct SystemError: Error, Hashable {
    let code: CInt
}

extension SystemError: CustomStringConvertible {
    /// The system's words for it.
    var description: String { ErrnoText.of(code) }
}
