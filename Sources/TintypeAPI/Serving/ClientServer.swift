// SPDX-License-Identifier: Apache-2.0
package import Logging
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle
internal import TintypeModel

/// Serves the HTTP API to one client on a connected socket until either side closes it.
package final class ClientServer: Service {
    private let descriptor: CInt
    private let connections: HTTPConnections
    private let onEnd: @Sendable () -> Void

    /// Takes ownership of `descriptor`; `onEnd` runs on an event loop at the close, when handlers may still run.
    package init(descriptor: CInt, services: ControlServices, logger: Logger, onEnd: @escaping @Sendable () -> Void) {
        (self.descriptor, self.onEnd) = (descriptor, onEnd)
        connections = HTTPConnections(services, limits: ServerLimits(), logger: logger)
    }

    /// Serves once, until disconnect, shutdown or cancellation; throws `invalid-request` for an unconnected descriptor.
    package func run() async throws {
        // SwiftNIO traps on descriptors that epoll(7) does not support.
        guard UnixSocket.isConnected(descriptor) else {
            throw Problem(
                .invalidRequest,
                "Descriptor \(descriptor) is not a connected socket.",
                remedy: "Use “tintype still --once”, which starts tintyped with one."
            )
        }
        let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            // As on the control socket: a client may shut down its sending side and still wait for the reply.
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
