// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import TintypeSystem

/// The calls that Swift's Glibc module does not declare, and others that fill a structure.
enum SystemCalls {
    /// Gives a file another name unless something has it: renameat2(2) with RENAME_NOREPLACE, each name below a folder
    /// that is open, or AT_FDCWD.
    ///
    /// Returns 0 or an errno; EINVAL where the filesystem has no such call.
    static func renameWithoutReplacing(
        _ folder: Int32,
        _ path: String,
        _ otherFolder: Int32,
        _ other: String
    ) -> Int32 {
        unsafe cv4l2_rename_without_replacing(folder, path, otherFolder, other) == 0 ? 0 : errno
    }

    /// The kind of file system that `path` is on: `f_type` of statfs(2).
    static func fileSystemType(of path: String) throws(FileError) -> UInt32 {
        let type = unsafe cv4l2_file_system_type(path)
        guard type >= 0 else { throw FileError("look at the file system of", path, code: errno) }
        return UInt32(truncatingIfNeeded: type)
    }

    /// How many files may still be made on the file system of `path`: `f_favail` of statvfs(3).
    ///
    /// Any number where it cannot be asked, or has no such limit, as Btrfs.
    static func availableFiles(at path: String) -> UInt64 {
        var status = statvfs()
        let result = CallRecord.marking { unsafe statvfs(path, &status) }
        guard result == 0, status.f_files > 0 else { return .max }
        return UInt64(status.f_favail)
    }

    /// The size of the file system of `path`: `f_blocks` of statvfs(3); 0 where it cannot be asked.
    static func totalBytes(at path: String) -> UInt64 {
        var status = statvfs()
        guard CallRecord.marking({ unsafe statvfs(path, &status) }) == 0 else { return 0 }
        return bytes(UInt64(status.f_blocks), of: UInt64(status.f_frsize))
    }

    /// The bytes of `blocks` of `size` each, as statvfs(3) has them; the most that there can be where these are more.
    ///
    /// A file system may say anything, as one behind FUSE does.
    static func bytes(_ blocks: UInt64, of size: UInt64) -> UInt64 {
        let (bytes, isTooMany) = blocks.multipliedReportingOverflow(by: size)
        return isTooMany ? .max : bytes
    }

    /// Lets the disk begin to write what was written to a file: sync_file_range(2) with SYNC_FILE_RANGE_WRITE.
    ///
    /// Whether that fails does not matter: the flush reports it.
    static func beginFlush(_ descriptor: Int32) { _ = cv4l2_begin_flush(descriptor) }
}
