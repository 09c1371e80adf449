// SPDX-License-Identifier: Apache-2.0
internal import NIOCore

/// An address of the network to listen on.
package struct TCPAddress: Hashable, Sendable {
    /// An address of IPv4 or IPv6 in digits.
    package let host: String
    /// 0 for any port that is free.
    package let port: Int

    /// The address of these parts.
    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Whether `text` is an address in digits.
    package static func isAddress(_ text: String) -> Bool { (try? SocketAddress(ipAddress: text, port: 0)) != nil }
}

extension TCPAddress: CustomStringConvertible {
    /// As in `127.0.0.1:8080` or `[::1]:8080`.
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
