// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import TintypeModel
internal import TintypeSystem

/// File system calls of the spool, one method per step, so that tests can inject failures.
///
/// Paths are absolute; below the spool's folder, one that leads out of it or through a symbolic link is refused. All
/// methods block, and are called on several threads at once.
package protocol FileSystem: Sendable {
    /// Nil if there is none; follows links only if `following`, and never below the spool's folder (fstatat(2)).
    func status(of path: String, following: Bool) throws(FileError) -> FileStatus?
    /// Creates a folder, visible only with exactly this mode; throws EEXIST if the name is taken (mkdir(2)).
    func makeFolder(_ path: String, mode: UInt32) throws(FileError)
    /// Creates and opens a file with exactly this mode (open(2) with O_CREAT, O_EXCL, O_NOFOLLOW).
    func create(_ path: String, mode: UInt32) throws(FileError) -> OpenFile
    /// Opens a file to write from `offset`, where it is cut (open(2) with O_NOFOLLOW, ftruncate(2)); throws ENOENT, and
    /// EINVAL if the file is shorter.
    func reopen(_ path: String, from offset: Int) throws(FileError) -> OpenFile
    /// Writes all of `bytes` (write(2)).
    func write(_ bytes: [UInt8], to file: OpenFile) throws(FileError)
    /// Flushes the written data to the disk (fdatasync(2)).
    func syncData(of file: OpenFile) throws(FileError)
    /// Starts writeback without waiting; a hint (sync_file_range(2)).
    func beginFlush(of file: OpenFile)
    /// Closes the file, even if it throws (close(2)).
    func close(_ file: OpenFile) throws(FileError)
    /// Renames a file; throws EEXIST if the new name is taken (renameat2(2) with RENAME_NOREPLACE).
    func move(_ path: String, to other: String) throws(FileError)
    /// Renames a file, replacing `other` if it exists (rename(2)).
    func replace(_ other: String, by path: String) throws(FileError)
    /// Flushes the directory entries of a folder to the disk (fsync(2)).
    func syncFolder(_ path: String) throws(FileError)
    /// Removes a file or an empty folder; not an error if it does not exist (unlink(2)).
    func remove(_ path: String) throws(FileError)
    /// Creates a symbolic link (symlink(2)).
    func makeLink(_ path: String, to target: String) throws(FileError)
    /// Target of the symbolic link (readlink(2)).
    func target(ofLink path: String) throws(FileError) -> String
    /// Names in a folder, sorted, without `.` and `..` (readdir(3)).
    func names(in folder: String) throws(FileError) -> [String]
    /// Contents of a regular file, without following a symbolic link; throws EFBIG if larger than `limit` (read(2)).
    func read(_ path: String, atMost limit: Int) throws(FileError) -> [UInt8]
    /// Bytes of a part of a regular file, fewer at its end (lseek(2), read(2)); as ``read(_:atMost:)``.
    func read(_ path: String, _ part: Range<Int>) throws(FileError) -> [UInt8]
    /// Free space for the daemon's user on the file system (statvfs(3)).
    func availableBytes(at path: String) throws(FileError) -> UInt64
    /// Opens or creates the file, or opens the folder if `mode` is nil, and locks it; nil if it is locked (flock(2)).
    func lock(_ path: String, mode: UInt32?) throws(FileError) -> OpenFile?
    /// Releases the lock and closes the file.
    func unlock(_ file: OpenFile) throws(FileError)
    /// Type of the file system of `path` (statfs(2)).
    func kind(of path: String) throws(FileError) -> FileSystemKind
}

extension FileSystem {
    /// Creates a file with these bytes, flushed to the disk if `isFlushed`; removes it again if writing fails; blocks.
    package func makeFile(_ path: String, _ bytes: [UInt8], mode: UInt32, isFlushed: Bool = false) throws(FileError) {
        try makeFile(path, mode: mode) { (file) throws(FileError) in
            try write(bytes, to: file)
            if isFlushed { try syncData(of: file) }
        }
    }

    /// Writes a file from `offset` on, where it is cut, and flushes it or starts that; blocks.
    func overwrite(_ path: String, from offset: Int, _ bytes: [UInt8], isFlushed: Bool) throws(FileError) {
        let file = try reopen(path, from: offset)
        let writing = Result { () throws(FileError) in
            try write(bytes, to: file)
            if isFlushed { try syncData(of: file) } else { beginFlush(of: file) }
        }
        try close(file)
        try writing.get()
    }

    /// Creates a file that `fill` writes; removes it again if that or closing it fails.
    func makeFile<Value>(
        _ path: String,
        mode: UInt32,
        _ fill: (OpenFile) throws(FileError) -> Value
    ) throws(FileError) -> Value {
        let file = try create(path, mode: mode)
        let filling = Result { () throws(FileError) in try fill(file) }
        let closing = Result { () throws(FileError) in try close(file) }
        do throws(FileError) {
            let value = try filling.get()
            try closing.get()
            return value
        } catch {
            try? remove(path)
            throw error
        }
    }

    /// Atomically replaces a file through `temporary`; survives a power cut if `isFlushed`; blocks.
    package func replaceFile(
        _ path: String,
        by bytes: [UInt8],
        mode: UInt32,
        isFlushed: Bool = false,
        through temporary: String
    ) throws(FileError) {
        try remove(temporary)
        try makeFile(temporary, bytes, mode: mode, isFlushed: isFlushed)
        do throws(FileError) {
            try replace(path, by: temporary)
        } catch {
            try? remove(temporary)
            throw error
        }
    }

    /// SHA-256 of a file of `size` bytes, read in parts; throws EIO for a shorter one; blocks.
    func checksum(of path: String, size: Int) throws(FileError) -> String {
        var checksum = SHA256.Running()
        for start in stride(from: 0, to: size, by: 1 << 20) {
            let part = start..<min(size, start + 1 << 20)
            let bytes = try read(path, part)
            guard bytes.count == part.count else { throw FileError("read", path, code: EIO) }
            checksum.add(bytes)
        }
        return checksum.text()
    }

    /// Size of the regular file at `path`, nil if there is none; follows no links; blocks.
    func size(ofFile path: String) throws(FileError) -> Int? {
        do throws(FileError) {
            let status = try status(of: path, following: false)
            return status?.kind == .file ? status?.size : nil
        } catch  where error.isOnTheWay {
            return nil
        }
    }

    /// Removes a file and, if `isFlushed`, flushes its folder; blocks.
    package func remove(_ path: String, isFlushed: Bool) throws(FileError) {
        try remove(path)
        if isFlushed { try syncFolder(path.enclosingFolder) }
    }

    /// Changes a catalog failure to `spool-full` if the file system has less than 256 KiB or two inodes free.
    ///
    /// SQLite reports SQLITE_FULL only for ENOSPC of write(2). If there is no space for its shared memory or its
    /// journal, it reports an I/O error, or that it cannot open the catalog.
    func judged(_ problem: Problem, in folder: String) -> Problem {
        guard problem.code == .spoolUnavailable else { return problem }
        let bytes = (try? availableBytes(at: folder)) ?? .max
        guard bytes < 256 << 10 || SystemCalls.availableFiles(at: folder) < 2 else { return problem }
        let remedy = SpoolRemedy.full("the file system that \(folder) is on")
        return Problem(.spoolFull, problem.detail, remedy: remedy, retryAfter: .seconds(10))
    }
}

/// Attributes of a file (stat(2)).
package struct FileStatus: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case file
        case folder
        case link
        /// Socket, pipe or device.
        case other
    }

    package var kind: Kind
    /// Bytes of a regular file.
    package var size: Int
    /// `st_dev`.
    package var device: UInt64
    /// `st_ino`.
    package var inode: UInt64
    /// `st_nlink`; for a folder, the number of its subfolders plus two, on file systems that count them.
    package var links: Int
    /// Time of the last change to contents, entries or location: the later of `st_mtim` and `st_ctim`.
    package var changedAt: Timestamp
}

package struct OpenFile: Hashable, Sendable {
    package var descriptor: Int32
    /// Path at the time of opening.
    package var path: String
}

/// Size limits by kind of file; a larger one, such as a sparse file of terabytes, is not read.
package enum FileLimit {
    /// A picture, or a copy of one such as `latest.jpg`; larger pictures are not stored.
    package static let picture = 256 << 20
    package static let film = 1 << 40
    /// Notes beside the catalog and of the clock, and files of the kernel.
    package static let note = 64 << 10
    /// List of the folders that have subfolders, about a dozen per camera and year.
    package static let folders = 4 << 20
    /// A saved profile, a few hundred controls at most.
    package static let profile = 64 << 10
    /// Learned faults of up to 256 cameras.
    package static let tolerances = 1 << 20
}

package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A verb that takes the path as its object, as in "create" or "flush".
    package var operation: String
    /// Absolute path.
    package var path: String
    /// An errno(3) value.
    package var code: Int32

    package init(_ operation: String, _ path: String, code: Int32) {
        (self.operation, self.path, self.code) = (operation, path, code)
    }

    /// One sentence, as in: Cannot create /spool/door: permission denied.
    package var description: String { "Cannot \(operation) \(path): \(ErrnoText.of(code))." }

    /// Problem for clients: `spool-full` if space or quota is exhausted, otherwise `spool-unavailable`.
    package var problem: Problem {
        Problem(isFull ? .spoolFull : .spoolUnavailable, description, remedy: remedy, retryAfter: .seconds(10))
    }

    package var isFull: Bool { code == ENOSPC || code == EDQUOT }

    /// True if a file or a symbolic link, which is not followed, is in the place of a folder in the path.
    package var isOnTheWay: Bool { code == ENOTDIR || code == ELOOP }

    /// True if the error concerns this name only, not the disk.
    package var isOfOneName: Bool {
        let codes = [EACCES, EPERM, EXDEV, EINVAL, ENAMETOOLONG, EISDIR, ENOTSUP, EBUSY, ETXTBSY, ENOTEMPTY, EEXIST]
        return isOnTheWay || codes.contains(code)
    }

    private var remedy: String {
        switch code {
        case ENOSPC: SpoolRemedy.full("the file system that \(path) is on")
        case EDQUOT: SpoolRemedy.full("it, or raise the disk quota of the daemon's user (uid \(geteuid()))")
        case EFBIG: "Move it away: tintyped does not write files of that size there."
        case EACCES, EPERM:
            "Let the daemon's user (uid \(geteuid())) write to its folder, or name another spool folder with --spool."
        case EROFS:
            "Mount the file system read-write, let the service write there (ReadWritePaths= in “systemctl edit tintyped”), or "
                + "name another spool folder with --spool."
        case ENOENT: "Make its parent folder, or name another spool folder with --spool."
        case ENOTDIR, EEXIST, EISDIR, ELOOP, ENOTSUP:
            "Something else has that name: move it away, or name another spool folder with --spool."
        case EIO, ENXIO, ENODEV, ESTALE: "Look for errors of the disk in the kernel's log (dmesg), and replace it."
        case EXDEV: "The whole spool must be on one file system: mount nothing inside it."
        case EINVAL: "The path leads out of the spool: compare catalog and files with “tintype frames verify”."
        case EMFILE, ENFILE: "Raise the limit of open files (LimitNOFILE=, ulimit -n)."
        case ENAMETOOLONG: "Name a spool folder with a shorter path."
        default: "Check the spool folder and its disk."
        }
    }
}

/// Runs `work` and converts a ``FileError`` to its problem.
package func asProblem<Value>(_ work: @autoclosure () throws(FileError) -> Value) throws(Problem) -> Value {
    do throws(FileError) {
        return try work()
    } catch {
        throw error.problem
    }
}

package enum SpoolRemedy {
    package static func full(_ place: String) -> String {
        "Let the spool delete old pictures (set minFree in retention: of the spool; “tintype frames retention” shows "
            + "and applies it), delete some yourself (tintype frames rm), or free space or inodes on \(place)."
    }
}
