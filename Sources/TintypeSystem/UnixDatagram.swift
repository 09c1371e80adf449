// SPDX-License-Identifier: Apache-2.0
// Without whole-module optimization, the compiler takes timeval for a type of this module.
internal import CV4L2
internal import Glibc
internal import TintypeModel

/// Sends datagrams to a Unix socket, for sd_notify(3) and for the journal.
package struct UnixDatagram: Sendable {
    /// A path, or `@` and an abstract name (unix(7)).
    package let address: String

    package init(address: String) { self.address = address }

    /// Sends one datagram; returns an error sentence on failure.
    ///
    /// Uses a new socket each time, so that a restarted receiver gets it. Blocks for up to 200 ms if the receiver's
    /// queue is full (socket(2), sendto(2)).
    package func failure(ofSending bytes: [UInt8]) -> String? {
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
        var limit = timeval(tv_sec: 0, tv_usec: 200_000)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let sent = unsafe UnixAddress.with(name) { target, length in
            unsafe sendto(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL), target, length)
        }
        return sent == bytes.count ? nil : "sendto \(address): \(ErrnoText.of(errno))."
    }
}
