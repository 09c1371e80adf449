// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

/// Sends datagrams to a Unix socket: those of sd_notify(3), and those of the journal.
struct UnixDatagram: Sendable {
    /// How long a full receiver is waited for: 200 ms, as `struct timeval` has them (sys_time.h(0p)): seconds, microseconds.
    private static let timeLimit = [0, 200_000]

    /// A path, or `@` and an abstract name (unix(7)).
    let address: String

    /// Sends `bytes` as one datagram; says in a sentence why it was not sent, nil where it was.
    ///
    /// Each has a socket of its own, so a receiver that was started again gets it. Blocks for 200 ms at most, where the
    /// receiver is full. The C functions are `socket` and `sendto`.
    func failure(ofSending bytes: [UInt8]) -> String? {
        guard address.hasPrefix("/") || address.hasPrefix("@") else {
            return "The address \"\(address)\" is neither a path nor an abstract name."
        }
        var name = Array(address.utf8)
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }
        guard name.count <= UnixAddress.longestPath else {
            return "The address has \(name.count) bytes, more than a socket's address can have."
        }
        let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return "socket \(address): \(ErrnoText.of(errno))." }
        defer { _ = close(descriptor) }
        var timeLimit = Self.timeLimit
        let size = socklen_t(timeLimit.count * MemoryLayout<Int>.size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeLimit, size)
        let sent = unsafe UnixAddress.with(name) { target, length in
            unsafe sendto(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL), target, length)
        }
        return sent == bytes.count ? nil : "sendto \(address): \(ErrnoText.of(errno))."
    }
}
