// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// The system calls that the spool makes on files: one method a step, so that a test can fail any of them.
///
/// Paths are absolute, and one below the spool's folder is refused that leads out of it or over a link. All block; they
/// are called on the storage thread and, side by side, on those that write and the one that reads.
package protocol FileSystem: Sendable {
    /// The file at `path`, nil if there is none; a link is followed only if `following`, and none below the spool's
    /// folder (fstatat(2)).
    func status(of path: String, following: Bool) throws(FileError) -> FileStatus?
    /// Makes a folder, which has exactly this mode whenever it can be seen; throws EEXIST if something has its name
    /// (mkdir(2)).
    func makeFolder(_ path: String, mode: UInt32) throws(FileError)
    /// Makes and opens a file that was not there, with exactly this mode from its first byte
    /// (open(2) with O_CREAT, O_EXCL, O_NOFOLLOW).
    func create(_ path: String, mode: UInt32) throws(FileError) -> OpenFile
    /// Writes all of `bytes` (write(2)).
    func write(_ bytes: [UInt8], to file: OpenFile) throws(FileError)
    /// Returns once what was written is on the disk (fdatasync(2)).
    func syncData(of file: OpenFile) throws(FileError)
    /// Lets the disk begin with what was written, and returns at once; a hint (sync_file_range(2)).
    func beginFlush(of file: OpenFile)
    /// Closes the file, whatever it throws (close(2)).
    func close(_ file: OpenFile) throws(FileError)
    /// Gives the file another name; throws EEXIST if something has it (renameat2(2) with RENAME_NOREPLACE).
    func move(_ path: String, to other: String) throws(FileError)
    /// Gives the file another name in place of what has it (rename(2)).
    func replace(_ other: String, by path: String) throws(FileError)
    /// Returns once the names in a folder are on the disk (fsync(2)).
    func syncFolder(_ path: String) throws(FileError)
    /// Removes a file, or a folder with nothing in it; one that is not there is no error (unlink(2)).
    func remove(_ path: String) throws(FileError)
    /// Makes a symbolic link (symlink(2)).
    func makeLink(_ path: String, to target: String) throws(FileError)
    /// The target of the symbolic link (readlink(2)).
    func target(ofLink path: String) throws(FileError) -> String
    /// The names in a folder, sorted, without `.` and `..` (readdir(3)).
    func names(in folder: String) throws(FileError) -> [String]
    /// The bytes of a regular file, a link not followed (read(2)); throws EFBIG where it has more than `limit`.
    func read(_ path: String, atMost limit: Int) throws(FileError) -> [UInt8]
    /// Bytes that the daemon's user may still write to the file system (statvfs(3)).
    func availableBytes(at path: String) throws(FileError) -> UInt64
    /// Opens the file, made if need be, and locks it until ``unlock(_:)``; nil if another process
    /// holds it (flock(2)).
    func lock(_ path: String, mode: UInt32) throws(FileError) -> OpenFile?
    /// Opens a folder and locks it until ``unlock(_:)``; nil if another process holds it (flock(2)).
    func lockFolder(_ path: String) throws(FileError) -> OpenFile?
    /// Lets go of the lock and closes the file.
    func unlock(_ file: OpenFile) throws(FileError)
    /// The kind of the file system that a path is on (statfs(2)).
    func kind(of path: String) throws(FileError) -> FileSystemKind
}

extension FileSystem {
    /// Makes a file with these bytes, which are on the disk when this returns if it `isFlushed`.
    ///
    /// One that does not get all of them is removed again. Blocks.
    package func makeFile(_ path: String, _ bytes: [UInt8], mode: UInt32, isFlushed: Bool = false) throws(FileError) {
        let file = try create(path, mode: mode)
        do throws(FileError) {
            do throws(FileError) {
                try write(bytes, to: file)
                if isFlushed { try syncData(of: file) }
            } catch {
                try? close(file)
                throw error
            }
            try close(file)
        } catch {
            try? remove(path)
            throw error
        }
    }

    /// Puts a file with these bytes in the place of what has this name, whole or not at all; after a power cut, too, if it
    /// `isFlushed`.
    ///
    /// It is made as `temporary` on the same file system, in the place of what was left there. Blocks.
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

    /// Removes a file, whose name is gone from the disk, too, when this returns if `isFlushed`; blocks.
    package func remove(_ path: String, isFlushed: Bool) throws(FileError) {
        try remove(path)
        if isFlushed { try syncFolder(path.enclosingFolder) }
    }
}

extension FileSystem {
    /// A failure of the catalog as what it is: `spool-full` where its file system has room for less than 256 KiB or two
    /// files.
    ///
    /// SQLite says SQLITE_FULL only where write(2) said ENOSPC, and an input/output error where its shared memory or
    /// its journal found no room, or that it cannot open the catalog.
    func judged(_ problem: Problem, in folder: String) -> Problem {
        guard problem.code == .spoolUnavailable else { return problem }
        let bytes = (try? availableBytes(at: folder)) ?? .max
        guard bytes < 256 << 10 || SystemCalls.availableFiles(at: folder) < 2 else { return problem }
        return Problem(
            .spoolFull,
            problem.detail,
            remedy: SpoolRemedy.full("the file system that \(folder) is on"),
            retryAfter: .seconds(10)
        )
    }
}

/// The properties of a file (stat(2)).
package struct FileStatus: Hashable, Sendable {
    /// The kinds of files that the spool tells apart.
    package enum Kind: Hashable, Sendable {
        /// A regular file.
        case file
        /// A folder.
        case folder
        /// A symbolic link.
        case link
        /// A socket, a pipe or a device.
        case other
    }

    /// Its kind.
    package var kind: Kind
    /// Bytes of a regular file.
    package var size: Int
    /// The file system that it is on (`st_dev`).
    package var device: UInt64
    /// Its number there (`st_ino`).
    package var inode: UInt64
    /// Its names (`st_nlink`); of a folder, two more than there are folders in it, where the file system counts those.
    package var links: Int
    /// When it was last changed: its bytes, the names in it, or where it is (the later of `st_mtim` and `st_ctim`).
    package var changedAt: Timestamp
}

/// A file that is open.
package struct OpenFile: Hashable, Sendable {
    /// The descriptor.
    package var descriptor: Int32
    /// Where it was opened.
    package var path: String
}

/// The most bytes that a file of each kind can have; a larger one is none that tintyped wrote, and is not read.
///
/// A sparse file may say that it has terabytes.
package enum FileLimit {
    /// A picture, or a copy of one as `latest.jpg`; no larger one is stored.
    package static let picture = 256 << 20
    /// The notes beside the catalog, of the clock, and of the kernel.
    package static let note = 64 << 10
    /// The folders of a spool that have folders in them, of which a year of a camera has a dozen.
    package static let folders = 4 << 20
    /// A saved profile, of some hundred controls at most.
    package static let profile = 64 << 10
}
