// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

/// The system calls of ``ServiceNotifier``: one datagram to a Unix socket (unix(7)).
enum NotificationSocket {
    /// Why a datagram was not sent: a sentence.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// How long a full receiver is waited for: 200 ms.
    static let timeLimit = timeval(tv_sec: 0, tv_usec: 200_000)

    /// Sends `text` to `address`, a path or `@` and an abstract name.
    ///
    /// The C functions are `socket` and `sendto`.
    static func send(_ text: String, to address: String) throws(Failure) {
        guard address.hasPrefix("/") || address.hasPrefix("@") else {
            throw Failure(description: "NOTIFY_SOCKET is \"\(address)\", which is neither a path nor an abstract name.")
        }
        var name = Array(address.utf8)
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }
        var target = sockaddr_un()
        target.sun_family = sa_family_t(AF_UNIX)
        guard name.count < MemoryLayout.size(ofValue: target.sun_path) else {
            throw Failure(description: "NOTIFY_SOCKET has \(name.count) bytes, more than a socket's address can have.")
        }
        unsafe withUnsafeMutableBytes(of: &target.sun_path) { unsafe $0.copyBytes(from: name) }
        // An abstract name has exactly the length that is given; a path may have its final zero or not.
        let offset = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: target.sun_path)
        let length = socklen_t(offset + name.count)

        let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw failure("socket", address) }
        defer { _ = close(descriptor) }
        var timeLimit = timeLimit
        _ = unsafe setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_SNDTIMEO,
            &timeLimit,
            socklen_t(MemoryLayout<timeval>.size)
        )
        let bytes = Array(text.utf8)
        let sent = unsafe withUnsafePointer(to: &target) { target in
            unsafe target.withMemoryRebound(to: sockaddr.self, capacity: 1) { target in
                unsafe sendto(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL), target, length)
            }
        }
        guard sent == bytes.count else { throw failure("sendto", address) }
    }

    private static func failure(_ call: String, _ address: String) -> Failure {
        let code = errno
        return Failure(description: "\(call) \(address): \(ErrnoText.of(code)).")
    }
}
