// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Keeps a second daemon from a spool: locks on the folder and on `.lock` in it (flock(2)).
///
/// Anyone may remove `.lock`, and a lock on it is lost with that; the folder itself stays. Network file systems lock no
/// folders, and versions that knew only `.lock` hold that.
struct SpoolLock {
    /// `.lock`, open for writing.
    let file: OpenFile
    private let folder: OpenFile?

    /// Takes both; throws EWOULDBLOCK, of what another program holds.
    init(_ path: String, mode: UInt32, files: any FileSystem) throws(FileError) {
        let folder: OpenFile?
        do throws(FileError) {
            guard let locked = try files.lockFolder(path) else { throw FileError("lock", path, code: EWOULDBLOCK) }
            folder = locked
        } catch  where Self.unsupported.contains(error.code) {
            folder = nil
        }
        self.folder = folder
        do throws(FileError) {
            guard let file = try files.lock("\(path)/.lock", mode: mode) else {
                throw FileError("lock", "\(path)/.lock", code: EWOULDBLOCK)
            }
            self.file = file
        } catch {
            if let folder { try? files.unlock(folder) }
            throw error
        }
    }

    func release(_ files: any FileSystem) {
        try? files.unlock(file)
        if let folder { try? files.unlock(folder) }
    }

    /// The errors of file systems that lock no folders: NFS wants a descriptor that can be written.
    private static let unsupported = [EBADF, EINVAL, ENOLCK, ENOSYS, EOPNOTSUPP, EISDIR]
}
