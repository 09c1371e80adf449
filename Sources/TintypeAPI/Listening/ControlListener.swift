// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

/// The Unix socket of the HTTP API: bound, its mode and group set, not listening yet.
///
/// It is bound to `PATH.new` and has its name only once ``ControlServer`` listens, by rename(2): a client that sees the
/// name can connect. A lock beside the socket (`PATH.lock`, flock(2)) is held for life, so that two daemons never share
/// either name; the kernel drops it with the process, however that ends. The lock file stays: removing it would let a
/// third daemon lock a file that a second one still has open. When the value goes away, the socket file is removed if it
/// is still ours.
///
/// One that the service manager passes (``PassedSockets``) listens already, and its file is not ours.
package struct ControlListener: ~Copyable, Sendable {
    /// Where clients find it.
    package let path: String
    private let boundPath: String
    private var descriptor: CInt
    /// -1 where the socket was passed.
    private let lock: CInt
    private let file: UnixSocket.FileIdentity?

    /// Connections that the kernel keeps before they are accepted (listen(2)).
    static let backlog: CInt = 4096
    /// The bytes that a path may have: what unix(7) allows, less the ending of the name that is bound.
    package static var longestPath: Int { UnixAddress.longestPath - ending.utf8.count }
    private static let ending = ".new"

    /// Binds the socket for `path`, where it is not seen before ``appear()``.
    ///
    /// A socket file without a listener is removed first. Does not block.
    ///
    /// - Parameters:
    ///   - path: at most 103 bytes.
    ///   - mode: who may connect: write permission is what counts (unix(7)).
    ///   - group: the file's group by name or number; nil leaves that of the process.
    /// - Throws: what is in the way, with its remedy.
    package init(path: String, mode: UInt16 = 0o660, group: String? = nil) throws(ListenerError) {
        guard path.utf8.count <= Self.longestPath else {
            throw .pathTooLong(path: path, bytes: path.utf8.count, limit: Self.longestPath)
        }
        let boundPath = path + Self.ending
        let number = group.flatMap(Accounts.group)
        if let group, number == nil { throw .unknownGroup(name: group) }
        let folder = path.enclosingFolder
        guard try UnixSocket.identity(of: folder) != nil else { throw .folderMissing(folder: folder) }

        let lock = try UnixSocket.openLock(path + ".lock")
        do throws(ListenerError) {
            guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
                throw errno == EWOULDBLOCK
                    ? .alreadyListening(path: path) : UnixSocket.failure("flock(2)", path + ".lock")
            }
            try Self.makeRoom(at: path)
            // One that is left there is of a daemon that was killed before it listened: its lock is ours now.
            try Self.makeRoom(at: boundPath)
            (descriptor, file) = try Self.bind(boundPath, mode: mode, group: number)
        } catch {
            _ = close(lock)
            throw error
        }
        self.path = path
        self.boundPath = boundPath
        self.lock = lock
    }

    /// The socket at `path` that listens already on `descriptor`.
    package init(passed descriptor: CInt, path: String) {
        (self.descriptor, self.path, boundPath) = (descriptor, path, path)
        (lock, file) = (-1, nil)
    }

    /// Gives the socket its name (rename(2)); call it once the socket listens.
    func appear() throws(ListenerError) { if boundPath != path { try UnixSocket.rename(boundPath, to: path) } }

    deinit {
        if descriptor >= 0 { _ = close(descriptor) }
        if let file {
            for name in [path, boundPath] where (try? UnixSocket.identity(of: name)) == file {
                try? UnixSocket.remove(name)
            }
        }
        if lock >= 0 { _ = close(lock) }
    }

    /// The descriptor, which the caller owns from now on; nil if it has been taken already.
    mutating func takeDescriptor() -> CInt? {
        defer { descriptor = -1 }
        return descriptor >= 0 ? descriptor : nil
    }

    private static func makeRoom(at path: String) throws(ListenerError) {
        guard let present = try UnixSocket.identity(of: path) else { return }
        guard present.isSocket else { throw .notASocket(path: path) }
        guard !UnixSocket.answers(at: path) else { throw .taken(path: path) }
        try UnixSocket.remove(path)
    }

    private static func bind(
        _ path: String,
        mode: UInt16,
        group: gid_t?
    ) throws(ListenerError) -> (CInt, UnixSocket.FileIdentity?) {
        let descriptor = try UnixSocket.bound(to: path)
        do throws(ListenerError) {
            try UnixSocket.restrict(path, mode: mode, group: group)
            return (descriptor, try UnixSocket.identity(of: path))
        } catch {
            _ = close(descriptor)
            try? UnixSocket.remove(path)
            throw error
        }
    }
}
