// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

/// The Unix socket of the HTTP API: bound, with its mode and group set, but not listening yet.
///
/// It is bound to `PATH.new` and renamed to `PATH` (rename(2)) once ``ControlServer`` listens, so clients can connect
/// as soon as they see the name. A lock on `PATH.lock` (flock(2)) keeps two daemons from sharing either name. It is
/// held until deinitialization; the kernel releases it if the process dies. The lock file is never removed: a third
/// daemon could then lock a new file while a second one still has the old one open. Deinitialization removes the socket
/// file if it is still the one created here.
///
/// A socket passed by the service manager (``PassedSockets``) already listens; its file is left alone.
package struct ControlListener: ~Copyable, Sendable {
    package let path: String
    private let boundPath: String
    private var descriptor: CInt
    /// -1 for a passed socket.
    private let lock: CInt
    private let file: UnixSocket.FileIdentity?

    static let backlog: CInt = 4096
    /// Maximum path length in bytes: the limit of unix(7) minus the temporary suffix.
    package static var longestPath: Int { UnixAddress.longestPath - ending.utf8.count }
    private static let ending = ".new"

    /// Binds the socket under a temporary name, removing a stale file; ``appear()`` gives it its final name.
    ///
    /// Does not block. Connecting needs write permission by `mode`; `group` is a name or number, nil for our own.
    package init(path: String, mode: UInt16 = 0o660, group: String? = nil) throws(ListenerError) {
        guard path.utf8.count <= Self.longestPath else {
            let detail = "The socket's path \(path) has \(path.utf8.count) bytes and may have \(Self.longestPath)."
            throw .path(detail, "Shorten it")
        }
        let boundPath = path + Self.ending
        let number = group.flatMap(Accounts.group)
        if let group, number == nil {
            let remedy = "Create it with groupadd, or name another."
            throw ListenerError(description: "There is no group named \(group) for the socket. \(remedy)")
        }
        let folder = path.enclosingFolder
        guard try UnixSocket.identity(of: folder) != nil else {
            throw .path("The socket's folder \(folder) does not exist.", "Create it")
        }

        let lock = try UnixSocket.openLock(path + ".lock")
        do throws(ListenerError) {
            guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
                guard errno == EWOULDBLOCK else { throw .failed("flock(2)", path + ".lock") }
                throw .path("Another tintyped is listening on \(path).", "Stop it")
            }
            try Self.makeRoom(at: path)
            // Leftover of a daemon that was killed before it listened; safe to remove because the lock is held.
            try Self.makeRoom(at: boundPath)
            (descriptor, file) = try Self.bind(boundPath, mode: mode, group: number)
        } catch {
            _ = close(lock)
            throw error
        }
        (self.path, self.boundPath, self.lock) = (path, boundPath, lock)
    }

    /// Wraps a socket that already listens on `path`.
    package init(passed descriptor: CInt, path: String) {
        (self.descriptor, self.path, boundPath) = (descriptor, path, path)
        (lock, file) = (-1, nil)
    }

    /// Renames the socket to its final path (rename(2)); call it once the socket listens.
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

    /// Transfers ownership of the descriptor to the caller; nil if already taken.
    mutating func takeDescriptor() -> CInt? {
        defer { descriptor = -1 }
        return descriptor >= 0 ? descriptor : nil
    }

    private static func makeRoom(at path: String) throws(ListenerError) {
        guard let present = try UnixSocket.identity(of: path) else { return }
        guard present.isSocket else { throw .path("There is a file at \(path) that is not a socket.", "Move it away") }
        // A program that does not take the lock.
        guard !UnixSocket.answers(at: path) else {
            throw .path("Another program is listening on \(path).", "Stop it")
        }
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
