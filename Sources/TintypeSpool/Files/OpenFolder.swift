// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The folder that something has its name in, held open, so that no program can put another in its place meanwhile.
struct OpenFolder: ~Copyable {
    /// How the folders below a root are opened.
    enum Resolution: Sendable {
        /// By openat2(2), and by ``walk`` where the kernel has none (before 5.6) or a sandbox refuses it.
        case kernel
        /// One folder after the other, by openat(2) with O_NOFOLLOW.
        case walk
    }

    /// The folder; AT_FDCWD where ``name`` is a whole path.
    let descriptor: Int32
    /// The name in that folder, or a path.
    let name: String

    /// The path, from wherever it counts.
    init(path: String) {
        descriptor = AT_FDCWD
        name = path
    }

    /// The folder of `path`, which is below `root`: no link is followed on the way, and none leads up.
    ///
    /// Throws for `operation`: EINVAL where a part of the path is empty, `.` or `..`, or has a NUL in it, ENOTDIR where a
    /// link or a file is in the way. The system call is `openat2` with RESOLVE_BENEATH and RESOLVE_NO_SYMLINKS.
    init(
        of path: String,
        below root: String,
        for operation: String,
        by resolution: Resolution = .kernel
    ) throws(FileError) {
        // By bytes, as the kernel reads them: a character of Swift may have several, the slash before it among them.
        let parts = path.utf8.dropFirst(root.utf8.count + 1)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard let name = parts.last, parts.allSatisfy(Self.isName) else {
            throw FileError(operation, path, code: EINVAL)
        }
        let top = unsafe Glibc.open(root, Self.flags)
        guard top >= 0 else { throw FileError(operation, path, code: errno) }
        guard parts.count > 1 else {
            self.descriptor = top
            self.name = name
            return
        }
        let (descriptor, code) = Self.descend(parts.dropLast(), from: top, by: resolution)
        Glibc.close(top)
        guard descriptor >= 0 else { throw FileError(operation, path, code: code) }
        self.descriptor = descriptor
        self.name = name
    }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

    private static let flags = O_RDONLY | O_DIRECTORY | O_NOCTTY | O_CLOEXEC

    /// Whether the kernel reads it as the name of one entry of a folder.
    private static func isName(_ part: String) -> Bool {
        !part.isEmpty && part != "." && part != ".." && !part.utf8.contains(0)
    }

    /// The descriptor of the folder that these names lead to, or -1 and the errno.
    private static func descend(
        _ names: ArraySlice<String>,
        from top: Int32,
        by resolution: Resolution
    ) -> (descriptor: Int32, code: Int32) {
        if resolution == .kernel {
            let (descriptor, code) = SystemCalls.openBeneath(top, names.joined(separator: "/"), flags)
            // Linux says ELOOP of a link; the walk, ENOTDIR.
            guard descriptor < 0, code == ENOSYS || code == EPERM else {
                return (descriptor, code == ELOOP ? ENOTDIR : code)
            }
        }
        var descriptor = top
        for name in names {
            let inner = unsafe openat(descriptor, name, flags | O_NOFOLLOW)
            let code = errno
            if descriptor != top { Glibc.close(descriptor) }
            guard inner >= 0 else { return (-1, code) }
            descriptor = inner
        }
        return (descriptor, 0)
    }
}
