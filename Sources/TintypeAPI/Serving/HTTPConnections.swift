// SPDX-License-Identifier: Apache-2.0
internal import HummingbirdCore
package import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import ServiceLifecycle
internal import TintypeModel
internal import TintypeSystem

struct HTTPConnections: Sendable {
    /// A configured connection; deinitialization closes it if it was never served.
    ///
    /// Connections still queued in the sequence of a listening socket are dropped when the server stops, and SwiftNIO
    /// traps if the writer of a channel is dropped unfinished (`NIOAsyncWriter`).
    final class Connection: Sendable {
        let channel: HTTP1Channel.Value
        let peer: Peer
        private let isServed = OnceFlag()

        init(_ channel: HTTP1Channel.Value, of peer: Peer) { (self.channel, self.peer) = (channel, peer) }

        deinit {
            guard isServed.raise() else { return }
            Task { [channel] in try? await channel.executeThenClose { _, _ in } }
        }

        /// Transfers the channel to the caller, which must finish it; call it once.
        func takeChannel() -> HTTP1Channel.Value {
            isServed.raise()
            return channel
        }
    }

    private let responder: ControlResponder
    private let configuration: HTTP1Channel.Configuration
    private let limits: ServerLimits
    private let clock: any MonotonicClock
    private let logger: Logger
    private let budget: ReplyBudget

    init(_ services: ControlServices, limits: ServerLimits, logger: Logger) {
        (self.limits, self.logger, clock) = (limits, logger, services.clock)
        responder = ControlResponder(services, limits: limits, logger: logger)
        budget = ReplyBudget(bytes: limits.unreadReplyBytes)
        configuration = HTTP1Channel.Configuration(
            idleTimeout: TimeAmount(limits.idle),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: limits.headerBytes,
                maxHeaderListSize: limits.headerBytes,
                maxHeaderFieldCount: 200
            )
        )
    }

    private func http(for peer: Peer, on eventLoop: any EventLoop) -> HTTP1Channel {
        HTTP1Channel(
            responder: { [responder, budget] request, writer, channel in
                // A client that sends many requests at once has one answered for each turn of the others.
                await withCheckedContinuation { turn in eventLoop.execute { turn.resume() } }
                let reply = ReplyAdmission(budget, of: "\(peer)")
                // Once written, it is counted by the connection's SlowReaderTimeoutHandler.
                defer { reply.release() }
                let response = await responder.respond(to: request, from: peer, admitting: reply, on: channel)
                try await writer.write(response: response.head, body: response.body)
            },
            configuration: configuration
        )
    }

    /// Adds the API's handlers to a new channel, on its event loop.
    func setUp(_ channel: any Channel, of peer: Peer) -> EventLoopFuture<Connection> {
        http(for: peer, on: channel.eventLoop).setup(channel: channel, logger: logger).flatMapThrowing { wrapped in
            // First, so that a failure below closes it.
            let connection = Connection(wrapped, of: peer)
            let pipeline = channel.pipeline.syncOperations
            let untaken = SlowReaderTimeoutHandler(limits, budget, of: "\(peer)", logger: logger)
            try pipeline.addHandler(untaken, position: .first)
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(HTTPRulesHandler(limits: limits, clock: clock), position: .after(decoder))
            return connection
        }
    }

    /// Serves one connection; cancels its handler when the connection closes.
    ///
    /// Hummingbird notices a close only at its next read or write, which a handler waiting for a frame delays.
    func serve(_ connection: Connection) async {
        let channel = connection.takeChannel()
        let eventLoop = channel.channel.eventLoop
        let client = "\(connection.peer)"
        await RequestClient.$current.withValue(client) {
            await withTaskExecutorPreference(EventLoopTaskExecutor(.of(eventLoop), of: client)) {
                let http = http(for: connection.peer, on: eventLoop)
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { await http.handle(value: channel, logger: logger) }
                    group.addTask { try? await channel.channel.closeFuture.get() }
                    await group.next()
                    group.cancelAll()
                }
            }
        }
    }
}

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
