// SPDX-License-Identifier: Apache-2.0
internal import NIOCore

/// Who is at the other end of a connection.
package enum Peer: Hashable, Sendable {
    /// A process, with its user and all its groups when it connected (SO_PEERCRED and SO_PEERGROUPS of unix(7)).
    case process(Int32, user: UInt32, groups: Set<UInt32>)
    /// A program at this address (TCP).
    case address(String)
    /// The program that started this daemon, and is its only client.
    case starter

    /// An address in digits; one of IPv4 as such, also on a socket of IPv6 (RFC 4291, 2.5.5.2).
    private static func text(of address: SocketAddress?) -> String {
        let text = address?.ipAddress ?? "unknown"
        return text.hasPrefix("::ffff:") ? String(text.dropFirst(7)) : text
    }

    /// The client of `channel`; fails where the kernel does not say who it is.
    ///
    /// On the channel's event loop. Read from the descriptor: SwiftNIO's own getter hands over zeroes for what the kernel
    /// leaves out, which is the group 0.
    static func of(_ channel: any Channel) -> EventLoopFuture<Peer> {
        channel.eventLoop.makeCompletedFuture {
            if channel.localAddress?.protocol != .unix {
                return .address(Self.text(of: channel.remoteAddress))
            }
            let peer = try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self)
            {
                UnixSocket.peer(of: $0)
            }
            guard let known = peer ?? nil else { throw ChannelError.operationUnsupported }
            return known
        }
    }
}

extension Peer: CustomStringConvertible {
    /// As in `uid 1000`.
    package var description: String {
        switch self {
        case .process(_, let user, _): "uid \(user)"
        case .address(let address): "address \(address)"
        case .starter: "the program that started tintyped"
        }
    }
}
