// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import NIOCore

/// The process that has connected, as it was when it did: `struct ucred` of unix(7).
struct PeerCredentials: Sendable {
    let process: Int32
    let user: UInt32
    let group: UInt32

    /// Those of the client of `channel` (getsockopt(2) with SO_PEERCRED); fails where `channel` is no Unix socket.
    ///
    /// On the channel's event loop. SwiftNIO hands over zeroes for what the kernel leaves out, which is user 0: the kernel
    /// leaves nothing out here, since the structure has a fixed size.
    static func read(from channel: any Channel) -> EventLoopFuture<PeerCredentials> {
        guard let options = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
        }
        return options.unsafeGetSocketOption(
            level: NIOBSDSocket.OptionLevel(rawValue: SOL_SOCKET),
            name: NIOBSDSocket.Option(rawValue: SO_PEERCRED)
        )
    }
}
