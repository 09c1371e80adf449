// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

extension ControlServer {
    /// Listens on `descriptor` and hands over each connection to serve; nil for one that is refused.
    func listen(
        _ descriptor: CInt,
        _ connections: ConnectionTable
    ) async throws -> NIOAsyncChannel<HTTP1Channel.Value?, Never> {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelInitializer { [logger] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptPauseHandler(logger: logger))
                }
            }
            // A client may close its sending side and still wait for the reply; one that is gone altogether is told by
            // EPOLLHUP, which closes the channel.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .bind(descriptor) { channel in
                PeerCredentials.read(from: channel).flatMap { peer in self.setUp(channel, of: peer.user, connections) }
            }
        // Again, for the backlog: SwiftNIO 2.101 listens on a descriptor that it is given with 128 whatever its option
        // says, and connect(2) on a full Unix socket fails at once.
        if Glibc.listen(descriptor, ControlListener.backlog) != 0 {
            logger.warning("listen on \(path): error \(errno). Many clients at once may be refused.")
        }
        return server
    }

    private func setUp(
        _ channel: any Channel,
        of user: ConnectionTable.User,
        _ connections: ConnectionTable
    ) -> EventLoopFuture<HTTP1Channel.Value?> {
        if let refusal = connections.add(channel, of: user) {
            return channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandlers(HTTPResponseEncoder(), refusal)
                return nil
            }
        }
        return http.setUp(channel).map { $0 }
    }
}
