// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import TintypeModel
internal import TintypeSystem

/// How connections of the HTTP API are set up and served, whichever way they were opened.
struct HTTPConnections: Sendable {
    /// A connection that was set up; one that nobody serves is closed.
    ///
    /// Connections that wait in the sequence of a listening socket are dropped with it when the server stops. SwiftNIO ends
    /// the process where the writer of a channel is dropped that was not finished (`NIOAsyncWriter`).
    final class Connection: Sendable {
        let channel: HTTP1Channel.Value
        let peer: Peer
        private let isServed = OnceFlag()

        init(_ channel: HTTP1Channel.Value, of peer: Peer) { (self.channel, self.peer) = (channel, peer) }

        deinit {
            guard isServed.raise() else { return }
            Task { [channel] in try? await channel.executeThenClose { _, _ in } }
        }

        /// Hands the channel to who finishes it; once.
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
    private let waiting = UntakenReplyHandler.Waiting()

    init(_ responder: ControlResponder, limits: ServerLimits, clock: any MonotonicClock, logger: Logger) {
        self.responder = responder
        self.limits = limits
        self.clock = clock
        self.logger = logger
        configuration = HTTP1Channel.Configuration(
            idleTimeout: TimeAmount(limits.idle),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: limits.headerBytes,
                maxHeaderListSize: limits.headerBytes,
                maxHeaderFieldCount: 200
            )
        )
    }

    private func http(for peer: Peer) -> HTTP1Channel {
        HTTP1Channel(
            responder: { [responder] request, writer, _ in
                let response = await responder.respond(to: request, from: peer)
                try await writer.write(response: response.head, body: response.body)
            },
            configuration: configuration
        )
    }

    /// Puts the handlers of the API into a channel that was just made for `peer`; on its event loop.
    func setUp(_ channel: any Channel, of peer: Peer) -> EventLoopFuture<Connection> {
        http(for: peer).setup(channel: channel, logger: logger).flatMapThrowing { connection in
            let pipeline = channel.pipeline.syncOperations
            let untaken = UntakenReplyHandler(limits, waiting, logger: logger)
            try pipeline.addHandler(untaken, position: .first)
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandlers(
                UnframedReplyHandler(),
                HTTPRulesHandler(limits: limits, clock: clock),
                position: .after(decoder)
            )
            return Connection(connection, of: peer)
        }
    }

    /// Serves one connection; its close cancels what it asked for.
    ///
    /// Hummingbird notices a close only when it reads or writes next, which a handler that waits for a frame keeps it
    /// from.
    func serve(_ connection: Connection) async {
        let channel = connection.takeChannel()
        await withTaskExecutorPreference(EventLoopTaskExecutor(channel.channel.eventLoop)) {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await http(for: connection.peer).handle(value: channel, logger: logger) }
                group.addTask { try? await channel.channel.closeFuture.get() }
                await group.next()
                group.cancelAll()
            }
        }
    }
}
