// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The parent folder of an entry, held open so that no program can swap it meanwhile.
struct OpenFolder: ~Copyable {
    /// AT_FDCWD if ``name`` is a whole path.
    let descriptor: Int32
    /// Name in that folder, or a path.
    let name: String

    /// A path without checks.
    init(path: String) {
        descriptor = AT_FDCWD
        name = path
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
