// SPDX-License-Identifier: Apache-2.0
internal import NIOCore

/// The client end of a connection.
package enum Peer: Hashable, Sendable, CustomStringConvertible {
    /// A local process, with the user and groups that it had at connect time (SO_PEERCRED and SO_PEERGROUPS, unix(7)).
    case process(Int32, user: UInt32, groups: Set<UInt32>)
    /// A TCP client at this IP address.
    case address(String)
    /// The program that started this daemon and is its only client.
    case starter

    /// Identifies the client of `channel`, on its event loop; fails if the kernel does not report its credentials.
    ///
    /// Reads them from the descriptor: SwiftNIO's getter returns zeroes for missing fields, and group 0 is root's.
    static func of(_ channel: any Channel) -> EventLoopFuture<Peer> {
        channel.eventLoop.makeCompletedFuture {
            if channel.localAddress?.protocol != .unix {
                // Without the prefix of an IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2).
                return .address((channel.remoteAddress?.ipAddress ?? "unknown").replacing(/^::ffff:/, with: ""))
            }
            let pipeline = channel.pipeline.syncOperations
            let peer = try pipeline.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
                UnixSocket.peer(of: $0)
            }
            guard let known = peer ?? nil else { throw ChannelError.operationUnsupported }
            return known
        }
    }

    /// For example `uid 1000`.
    package var description: String {
        switch self {
        case .process(_, let user, _): "uid \(user)"
        case .address(let address): "address \(address)"
        case .starter: "the program that started tintyped"
        }
    }
}

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
