// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The folder that something has its name in, held open, so that no program can put another in its place meanwhile.
struct OpenFolder: ~Copyable {
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
    /// link or a file is in the way.
    init(of path: String, below root: String, for operation: String) throws(FileError) {
        // By bytes, as the kernel reads them: a character of Swift may have several, the slash before it among them.
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

    /// Whether the kernel reads it as the name of one entry of a folder.
    private static func isName(_ part: String) -> Bool {
        !part.isEmpty && part != "." && part != ".." && !part.utf8.contains(0)
    }
}
