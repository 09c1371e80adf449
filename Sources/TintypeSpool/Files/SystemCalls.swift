// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import TintypeSystem

/// Calls that Swift's Glibc module does not declare, and calls that fill a structure.
enum SystemCalls {
    /// renameat2(2) with RENAME_NOREPLACE; returns 0 or an errno, EINVAL if the file system does not support the flag.
    static func renameWithoutReplacing(_ from: borrowing OpenFolder, to: borrowing OpenFolder) -> Int32 {
        unsafe cv4l2_rename_without_replacing(from.descriptor, from.name, to.descriptor, to.name) == 0 ? 0 : errno
    }

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
