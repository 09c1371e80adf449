// SPDX-License-Identifier: Apache-2.0
internal import NIOCore

package struct TCPAddress: Hashable, Sendable, CustomStringConvertible {
    /// Numeric IPv4 or IPv6 address.
    package let host: String
    /// 0 selects any free port.
    package let port: Int

    package init(host: String, port: Int) {
        (self.host, self.port) = (host, port)
    }

    package static func isAddress(_ text: String) -> Bool { (try? SocketAddress(ipAddress: text, port: 0)) != nil }

    /// For example `127.0.0.1:8642` or `[::1]:8642`.
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
