// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import TintypeModel
internal import TintypeSystem

struct CallFailure: Error {
    /// An errno(3) value.
    let code: Int32
    /// The step of the call that failed; nil for the call itself.
    var operation: String?
}

/// Result of a system call, which returns -1 on failure.
@discardableResult
func checked<Result: SignedInteger>(_ result: Result, _ step: String? = nil) throws(CallFailure) -> Result {
    guard result >= 0 else { throw CallFailure(code: errno, operation: step) }
    return result
}

/// An open file, closed at the end of its scope unless released.
struct Descriptor: ~Copyable {
    let number: Int32

    deinit { Glibc.close(number) }

    consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    /// Reads up to `limit` bytes (read(2)).
    func read(atMost limit: Int) throws(CallFailure) -> [UInt8] {
        var code: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, filled in
            filled = 0
            while filled < buffer.count {
                let rest = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...]
                )
                let count = unsafe Glibc.read(number, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                if count < 0 { code = errno }
                if count <= 0 { break }
                filled += count
            }
        }
        guard code == 0 else { throw CallFailure(code: code) }
        return bytes
    }
}

/// The parent folder of an entry, held open so that no program can swap it meanwhile.
struct OpenFolder: ~Copyable {
    /// AT_FDCWD if ``name`` is a whole path.
    let descriptor: Int32
    /// Name in that folder, or a path.
    let name: String

    init(path: String) { (descriptor, name) = (AT_FDCWD, path) }

    /// Opens the folder of `path`, which is below `root`, without following links or going up.
    ///
    /// Throws EINVAL if a component is empty, `.`, `..` or contains NUL, and ENOTDIR if a link or a file is in the way.
    init(of path: String, below root: String) throws(CallFailure) {
        // Split by bytes, as the kernel does: a Swift character can consist of several, including the slash before it.
        let parts = path.utf8.dropFirst(root.utf8.count + 1)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard let name = parts.last, parts.allSatisfy(Self.isName) else { throw CallFailure(code: EINVAL) }
        var folder = try checked(unsafe Glibc.open(root, Self.flags))
        for part in parts.dropLast() {
            let inner = unsafe openat(folder, part, Self.flags | O_NOFOLLOW)
            let code = errno
            Glibc.close(folder)
            guard inner >= 0 else { throw CallFailure(code: code) }
            folder = inner
        }
        (descriptor, self.name) = (folder, name)
    }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

    private static let flags = O_RDONLY | O_DIRECTORY | O_NOCTTY | O_CLOEXEC

    private static let kinds: [mode_t: FileStatus.Kind] = [S_IFREG: .file, S_IFDIR: .folder, S_IFLNK: .link]

    private static func isName(_ part: String) -> Bool {
        !part.isEmpty && part != "." && part != ".." && !part.utf8.contains(0)
    }

    /// Attributes of the entry; a link below the spool's folder is not followed.
    func status(following: Bool) throws(CallFailure) -> FileStatus {
        var status = stat()
        let flags = following && descriptor == AT_FDCWD ? 0 : AT_SYMLINK_NOFOLLOW
        try checked(unsafe fstatat(descriptor, name, &status, flags))
        return FileStatus(
            kind: Self.kinds[status.st_mode & S_IFMT] ?? .other,
            size: Int(status.st_size),
            device: UInt64(status.st_dev),
            inode: UInt64(status.st_ino),
            links: Int(status.st_nlink),
            changedAt: max(Timestamp(status.st_mtim), Timestamp(status.st_ctim))
        )
    }

    /// Makes the entry a folder with this mode and owner, or removes it again.
    func make(mode: UInt32, _ ownership: Ownership) throws(CallFailure) {
        try checked(unsafe mkdirat(descriptor, name, 0o700))
        do throws(CallFailure) {
            let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
            let made = Descriptor(number: try checked(unsafe openat(descriptor, name, flags)))
            let code = ownership.apply(to: made.number, mode: mode)
            guard code == 0 else { throw CallFailure(code: code) }
        } catch {
            unsafe unlinkat(descriptor, name, AT_REMOVEDIR)
            throw CallFailure(code: error.code, operation: "set owner and mode of")
        }
    }
}

/// Calls that Swift's Glibc module does not declare, and calls that fill a structure.
enum SystemCalls {
    /// renameat2(2) with RENAME_NOREPLACE; returns 0 or an errno, EINVAL if the file system does not support the flag.
    static func renameWithoutReplacing(_ from: borrowing OpenFolder, to: borrowing OpenFolder) -> Int32 {
        unsafe cv4l2_rename_without_replacing(from.descriptor, from.name, to.descriptor, to.name) == 0 ? 0 : errno
    }

    /// True if permissions and file system let this process write to the file (access(2)).
    static func isWritable(_ path: String) -> Bool { unsafe access(path, W_OK) == 0 }

    /// Free inodes on the file system of `path` (statvfs(3)); `.max` on failure or without a limit (Btrfs).
    static func availableFiles(at path: String) -> UInt64 {
        var status = statvfs()
        let result = CallRecord.marking { unsafe statvfs(path, &status) }
        guard result == 0, status.f_files > 0 else { return .max }
        return UInt64(status.f_favail)
    }

    /// Size of the file system of `path`: `f_blocks` of statvfs(3); 0 on failure.
    static func totalBytes(at path: String) -> UInt64 {
        var status = statvfs()
        guard CallRecord.marking({ unsafe statvfs(path, &status) }) == 0 else { return 0 }
        return bytes(UInt64(status.f_blocks), of: UInt64(status.f_frsize))
    }

    /// Bytes in `blocks` of statvfs(3), limited so that no sum overflows: a FUSE file system can report any value.
    static func bytes(_ blocks: UInt64, of size: UInt64) -> UInt64 {
        let (bytes, isTooMany) = blocks.multipliedReportingOverflow(by: size)
        return isTooMany ? most : min(bytes, most)
    }

    private static let most = UInt64(Int.max / 4)
}
