// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The folder that something has its name in, held open, so that nobody can put another in its place meanwhile.
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

    /// The folder of `path`, which is below `root`: every folder on the way is opened without following links.
    ///
    /// Throws for `operation`; ENOTDIR where a link is in the way, whoever planted it. The C function is `openat` with
    /// O_NOFOLLOW.
    init(of path: String, below root: String, for operation: String) throws(FileError) {
        // By bytes, as the kernel reads them: a character of Swift may have several, the slash before it among them.
        let names = path.utf8.dropFirst(root.utf8.count + 1).split(separator: UInt8(ascii: "/"))
            .map { String(decoding: $0, as: UTF8.self) }
        guard let name = names.last else { throw FileError(operation, path, code: EINVAL) }
        var descriptor = unsafe open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(operation, path, code: errno) }
        for folder in names.dropLast() {
            let inner = unsafe openat(
                descriptor,
                folder,
                O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
            )
            let code = errno
            Glibc.close(descriptor)
            guard inner >= 0 else { throw FileError(operation, path, code: code) }
            descriptor = inner
        }
        self.descriptor = descriptor
        self.name = name
    }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }
}
