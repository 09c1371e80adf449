// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import TintypeModel

/// How connections of the HTTP API are set up and served, whichever way they were opened.
struct HTTPConnections: Sendable {
    private let http: HTTP1Channel
    private let limits: ServerLimits
    private let logger: Logger

    init(_ responder: ControlResponder, limits: ServerLimits, logger: Logger) {
        self.limits = limits
        self.logger = logger
        http = HTTP1Channel(
            responder: { request, writer, _ in
                let response = await responder.respond(to: request)
                try await writer.write(response: response.head, body: response.body)
            },
            configuration: HTTP1Channel.Configuration(
                idleTimeout: TimeAmount(limits.idle),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: limits.headerBytes,
                    maxHeaderListSize: limits.headerBytes,
                    maxHeaderFieldCount: 200
                )
            )
        )
    }

    /// Puts the handlers of the API into a channel that was just made; on its event loop.
    func setUp(_ channel: any Channel) -> EventLoopFuture<HTTP1Channel.Value> {
        http.setup(channel: channel, logger: logger).flatMapThrowing { connection in
            let pipeline = channel.pipeline.syncOperations
            let untaken = UntakenReplyHandler(limit: TimeAmount(limits.reply), logger: logger)
            try pipeline.addHandler(untaken, position: .first)
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandlers(UnframedReplyHandler(), HTTPRulesHandler(), position: .after(decoder))
            return connection
        }
    }

    /// Serves one connection; its close cancels what it asked for.
    ///
    /// Hummingbird notices a close only when it reads or writes next, which a handler that waits for a frame keeps it
    /// from.
    func serve(_ connection: HTTP1Channel.Value) async {
        await withTaskExecutorPreference(EventLoopTaskExecutor(connection.channel.eventLoop)) {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await http.handle(value: connection, logger: logger) }
                group.addTask { try? await connection.channel.closeFuture.get() }
                await group.next()
                group.cancelAll()
            }
        }
    }
}
