// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The Unix socket of the HTTP API: bound, its mode and group set, not listening yet.
///
/// Nobody gets in before ``ControlServer`` listens: until then connect(2) is refused. A lock beside the socket
/// (`PATH.lock`, flock(2)) is held for life, so that two daemons never share a path; the kernel drops it with the
/// process, however that ends. The lock file stays: removing it would let a third daemon lock a file that a second one
/// still has open. When the value goes away, the socket file is removed if it is still ours.
package struct ControlListener: ~Copyable, Sendable {
    /// Where it is bound.
    package let path: String
    private var descriptor: CInt
    private let lock: CInt
    private let file: UnixSocket.FileIdentity?

    /// Connections that the kernel keeps before they are accepted (listen(2)).
    static let backlog: CInt = 4096

    /// Binds the socket at `path`.
    ///
    /// A socket file that nobody answers at is removed first. Does not block.
    ///
    /// - Parameters:
    ///   - path: at most 107 bytes (unix(7)).
    ///   - mode: who may connect: write permission is what counts (unix(7)).
    ///   - group: the file's group by name or number; nil leaves that of the process.
    /// - Throws: what is in the way, with its remedy.
    package init(path: String, mode: UInt16 = 0o660, group: String? = nil) throws(ListenerError) {
        guard path.utf8.count <= UnixSocket.longestPath else {
            throw .pathTooLong(path: path, bytes: path.utf8.count, limit: UnixSocket.longestPath)
        }
        let group: gid_t? = if let group { try UnixSocket.group(group) } else { nil }
        let folder = Self.folder(of: path)
        guard try UnixSocket.identity(of: folder) != nil else { throw .folderMissing(folder: folder) }

        let lock = try UnixSocket.openLock(path + ".lock")
        do throws(ListenerError) {
            guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
                throw errno == EWOULDBLOCK
                    ? .alreadyListening(path: path) : UnixSocket.failure("flock(2)", path + ".lock")
            }
            try Self.makeRoom(at: path)
            (descriptor, file) = try Self.bind(path, mode: mode, group: group)
        } catch {
            _ = close(lock)
            throw error
        }
        self.path = path
        self.lock = lock
    }

    deinit {
        if descriptor >= 0 { _ = close(descriptor) }
        if let file, let present = try? UnixSocket.identity(of: path), present == file { try? UnixSocket.remove(path) }
        _ = close(lock)
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

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
