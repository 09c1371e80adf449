// SPDX-License-Identifier: Apache-2.0

/// The system calls that the spool makes on files: one method a step, so that a test can fail any of them.
///
/// Paths are absolute, and one below the spool's folder is refused that leads out of it or over a link. All block; they are called on the storage thread and, side by side, on those that write.
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
    /// Does nothing: it is a hint.
    package func beginFlush(of file: OpenFile) {}

    /// The kind of the file system that a path is on, from the machine itself.
    package func kind(of path: String) throws(FileError) -> FileSystemKind {
        FileSystemKind(type: try SystemCalls.fileSystemType(of: path))
    }
}
