// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import NIOCore
internal import TintypeModel

/// System calls for the control socket, the only unsafe socket code of this target; errors name call and path.
enum UnixSocket {
    /// Identity of a file regardless of its name (`st_dev` and `st_ino`, stat(2)).
    struct FileIdentity: Hashable {
        let device: dev_t
        let inode: ino_t
        let isSocket: Bool
    }

    /// Opens a lock file, creating it with mode 0600 if needed (open(2) with O_CLOEXEC and O_NOFOLLOW).
    static func openLock(_ path: String) throws(ListenerError) -> CInt {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .failed("open(2)", path) }
        return descriptor
    }

    /// Stream socket bound to `path`, not listening; a random abstract name if empty (socket(2), bind(2), unix(7)).
    static func bound(to path: String) throws(ListenerError) -> CInt {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .failed("socket(2)", path) }
        guard unsafe UnixAddress.with(path.utf8, { unsafe bind(descriptor, $0, $1) }) == 0 else {
            let error = ListenerError.failed("bind(2)", path)
            _ = close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Socket that listens on a port of 127.0.0.1; 0 selects a free one (bind(2), listen(2), ip(7), tcp(7)).
    static func loopback(port: UInt16) throws(ListenerError) -> CInt {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var on: CInt = 1
        // Inherited by connections.
        for (level, name) in [
            (SOL_SOCKET, SO_REUSEADDR), (SOL_SOCKET, SO_KEEPALIVE), (CInt(IPPROTO_TCP), TCP_NODELAY),
        ] {
            _ = unsafe setsockopt(descriptor, level, name, &on, socklen_t(MemoryLayout<CInt>.size))
        }
        let address = try? SocketAddress(ipAddress: "127.0.0.1", port: Int(port))
        let status = unsafe address?.withSockAddr { unsafe bind(descriptor, $0, socklen_t($1)) }
        guard status == 0, Glibc.listen(descriptor, ControlListener.backlog) == 0 else {
            let error = ListenerError.port("127.0.0.1:\(port)", errno: errno)
            _ = close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Answers the next client of a listening socket with `problem`; waits at most 50 ms for it.
    static func refuseClient(of descriptor: CInt, with problem: Problem) {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&waiting, 1, 50) == 1 else { return }
        let client = accept(descriptor, nil, nil)
        guard client >= 0 else { return }
        defer { _ = close(client) }
        let body = problem.document
        let head = "HTTP/1.1 \(problem.code.status) \r\nContent-Type: application/problem+json\r\nConnection: close\r\n"
        let reply = Array("\(head)Content-Length: \(body.count)\r\n\r\n".utf8) + body
        // Reads the request first: closing a socket with unread data resets the connection.
        var request = [UInt8](repeating: 0, count: 65_536)
        waiting.fd = client
        if unsafe poll(&waiting, 1, 50) == 1 { _ = unsafe recv(client, &request, request.count, 0) }
        _ = unsafe send(client, reply, reply.count, CInt(MSG_NOSIGNAL))
    }

    /// Makes `descriptor` nonblocking and moves it to the number `other`, replacing that socket (dup2(2)).
    static func move(_ descriptor: CInt, to other: CInt) throws(ListenerError) {
        defer { _ = close(descriptor) }
        guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | CInt(SOCK_NONBLOCK.rawValue)) == 0,
            dup2(descriptor, other) >= 0, fcntl(other, F_SETFD, FD_CLOEXEC) == 0
        else { throw .failed("dup2(2)", "") }
    }

    /// True if a program listens at `path` (nonblocking connect(2)); EAGAIN means that the backlog is full.
    static func answers(at path: String) -> Bool {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { _ = close(descriptor) }
        return unsafe UnixAddress.with(path.utf8) { unsafe connect(descriptor, $0, $1) } == 0 || errno == EAGAIN
    }

    /// True if `descriptor` is a socket with a peer (getpeername(2)).
    static func isConnected(_ descriptor: CInt) -> Bool {
        unsafe address { unsafe getpeername(descriptor, $0, $1) } != nil
    }

    /// Address that a call stores, cut to the size of a Unix socket's; nil if the call fails.
    private static func address(
        storing: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> CInt
    ) -> sockaddr_un? {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe storing($0, &length) }
        }
        return status == 0 ? address : nil
    }

    /// Credentials of the connecting process as of its connect(2), if known (SO_PEERCRED, SO_PEERGROUPS, unix(7)).
    static func peer(of descriptor: CInt) -> Peer? {
        // struct ucred: pid, uid and gid, 32 bits each.
        var credentials: [UInt32] = [0, 0, 0]
        var length = socklen_t(12)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0, length == 12 else {
            return nil
        }
        var groups = [gid_t](repeating: 0, count: 64)
        for _ in 0..<2 {
            length = socklen_t(groups.count * MemoryLayout<gid_t>.size)
            let status = unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, &groups, &length)
            let count = Int(length) / MemoryLayout<gid_t>.size
            if status == 0 {
                let all = Set(groups.prefix(count)).union([credentials[2]])
                return .process(Int32(bitPattern: credentials[0]), user: credentials[1], groups: all)
            }
            // ERANGE reports the required size.
            guard errno == ERANGE, count > groups.count else { return nil }
            groups = [gid_t](repeating: 0, count: count)
        }
        return nil
    }

    enum Place: Equatable {
        case unix(path: String)
        case network(port: Int)
    }

    /// Address family, and path or port, of a listening stream socket (SO_ACCEPTCONN, getsockname(2)); nil for others.
    static func listening(_ descriptor: CInt) -> Place? {
        guard option(SO_TYPE, of: descriptor) == CInt(SOCK_STREAM.rawValue), option(SO_ACCEPTCONN, of: descriptor) == 1
        else { return nil }
        guard var address = unsafe address(storing: { unsafe getsockname(descriptor, $0, $1) }) else { return nil }
        switch CInt(address.sun_family) {
        case AF_INET, AF_INET6:
            // The port is the first field after the family, in network byte order (ip(7), ipv6(7)).
            return unsafe withUnsafeBytes(of: &address.sun_path) { unsafe .network(port: Int($0[0]) << 8 | Int($0[1])) }
        case AF_UNIX:
            let path = unsafe withUnsafeBytes(of: &address.sun_path) {
                unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            return .unix(path: path)
        default: return nil
        }
    }

    private static func option(_ name: CInt, of descriptor: CInt) -> CInt? {
        var value: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        return unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }

    /// Identity of the file at `path` without following links; nil if it does not exist (lstat(2)).
    static func identity(of path: String) throws(ListenerError) -> FileIdentity? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw .failed("lstat(2)", path)
        }
        return FileIdentity(device: status.st_dev, inode: status.st_ino, isSocket: status.st_mode & S_IFMT == S_IFSOCK)
    }

    /// Sets mode and, if not nil, group of a file (chmod(2), lchown(2)).
    static func restrict(_ path: String, mode: UInt16, group: gid_t?) throws(ListenerError) {
        if let group, unsafe lchown(path, uid_t.max, group) != 0 { throw .failed("chown(2)", path) }
        guard unsafe chmod(path, mode_t(mode)) == 0 else { throw .failed("chmod(2)", path) }
    }

    static func remove(_ path: String) throws(ListenerError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .failed("unlink(2)", path) }
    }

    static func rename(_ path: String, to other: String) throws(ListenerError) {
        guard unsafe Glibc.rename(path, other) == 0 else { throw .failed("rename(2)", path) }
    }
}
