// SPDX-License-Identifier: Apache-2.0
package import Logging
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle
internal import TintypeModel

/// Serves the HTTP API to one client, on a connection that is open already, until either side closes it.
package final class ClientServer: Service {
    private let descriptor: CInt
    private let connections: HTTPConnections
    private let onEnd: @Sendable () -> Void

    /// A server on `descriptor`, a connected stream socket, which it owns from now on.
    ///
    /// `onEnd` is called on an event loop as soon as the connection is closed,
    /// while handlers may still run.
    package init(
        descriptor: CInt,
        services: ControlServices,
        logger: Logger,
        onEnd: @escaping @Sendable () -> Void = {}
    ) {
        self.descriptor = descriptor
        let responder = ControlResponder(services, logger: logger)
        connections = HTTPConnections(responder, limits: ServerLimits(), clock: services.clock, logger: logger)
        self.onEnd = onEnd
    }

    /// Serves until the client has gone, graceful shutdown or cancellation; may be called once.
    ///
    /// Throws `invalid-request` where the descriptor is no connected socket.
    package func run() async throws {
        // SwiftNIO traps on what epoll(7) cannot watch.
        guard UnixSocket.isConnected(descriptor) else {
            throw Problem(
                .invalidRequest,
                "Descriptor \(descriptor) is not a connected socket.",
                remedy: "Use “tintype still --once”, which starts tintyped with one."
            )
        }
        let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            // As for clients of the control socket: one may close its sending side and still wait for the reply.
            .channelOption(.allowRemoteHalfClosure, value: true)
            .withConnectedSocket(descriptor) { [connections] channel in connections.setUp(channel, of: .starter) }
        connection.channel.channel.closeFuture.whenComplete { [onEnd] _ in onEnd() }
        await withTaskCancellationOrGracefulShutdownHandler {
            await connections.serve(connection)
        } onCancelOrGracefulShutdown: {
            connection.channel.channel.close(promise: nil)
        }
    }
}
