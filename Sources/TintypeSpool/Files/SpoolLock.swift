// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Keeps a second daemon from using a spool, by flock(2) on the folder and on `.lock` in it.
///
/// Anyone can remove `.lock`, and the lock on it is lost with it; the folder itself stays. `.lock` is needed for
/// network file systems, which cannot lock folders, and for older versions, which lock only that.
struct SpoolLock {
    /// `.lock`, open for writing.
    let file: OpenFile
    private let folder: OpenFile?

    /// Takes both locks; throws EWOULDBLOCK with the path that another program holds.
    init(_ path: String, mode: UInt32, files: any FileSystem) throws(FileError) {
        let folder: OpenFile?
        do throws(FileError) {
            guard let locked = try files.lock(path, mode: nil) else { throw FileError("lock", path, code: EWOULDBLOCK) }
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

    /// Errors of file systems that cannot lock folders; NFS needs a writable descriptor.
    private static let unsupported = [EBADF, EINVAL, ENOLCK, ENOSYS, EOPNOTSUPP, EISDIR]
}
