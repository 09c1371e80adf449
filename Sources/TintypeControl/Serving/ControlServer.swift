// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Hummingbird
internal import HummingbirdCore
package import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import ServiceLifecycle
internal import Synchronization
internal import TintypeModel

/// Serves the HTTP API on a Unix socket until it is told to stop.
///
/// Graceful shutdown stops accepting at once and gives requests in flight ``ServerLimits/grace``. Then each that has no
/// reply yet is answered `stopping`, every connection is closed within ``ServerLimits/parting``, and ``run()`` returns,
/// whether or not a handler does. A client that goes away cancels its handler's task.
package final class ControlServer: Service {
    private let listener: Mutex<ControlListener?>
    let path: String
    let limits: ServerLimits
    let logger: Logger
    let http: HTTPConnections
    private let onListening: @Sendable () async -> Void

    /// A server on `listener`, which it owns from now on.
    ///
    /// `onListening` is called once, when the socket listens and has its name: clients
    /// are served from then on.
    package init(
        listener: consuming sending ControlListener,
        services: ControlServices,
        logger: Logger,
        limits: ServerLimits = ServerLimits(),
        onListening: @escaping @Sendable () async -> Void = {}
    ) {
        path = listener.path
        self.listener = Mutex(consume listener)
        self.limits = limits
        self.logger = logger
        self.onListening = onListening
        let responder = ControlResponder(services, limits: limits, logger: logger)
        http = HTTPConnections(responder, limits: limits, logger: logger)
    }

    /// Serves until graceful shutdown or cancellation; may be called once.
    ///
    /// Throws `internal` if the socket fails for good, or if it has run before.
    package func run() async throws {
        guard var listener = listener.withLock({ $0.take() }), let descriptor = listener.takeDescriptor() else {
            throw Problem(.internalError, "The server on \(path) has run already.", remedy: "Make another one.")
        }
        let connections = ConnectionTable(limits: limits, logger: logger)
        let server = try await listen(descriptor, connections)
        do {
            try listener.appear()
        } catch {
            try? await server.executeThenClose { _ in }
            throw error
        }
        await onListening()

        // Not structured: a handler that does not return must not keep the daemon from leaving, and a task group would
        // wait for it. What still runs after the grace is left to the end of the process.
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let serving = Task {
            defer { end.finish() }
            try await serve(server)
        }
        let isStopping = Flag()
        await withTaskCancellationOrGracefulShutdownHandler {
            // Not the stream's own cancellation: graceful shutdown and cancellation end it the same way, with grace.
            await Self.uncancelled(ended)
        } onCancelOrGracefulShutdown: { [limits] in
            guard isStopping.raise() else { return }
            server.channel.close(promise: nil)
            connections.quiesce()
            let grace = TimeAmount(limits.grace)
            server.channel.eventLoop.scheduleTask(in: grace) { connections.leave() }
            server.channel.eventLoop.scheduleTask(in: grace + TimeAmount(limits.parting)) {
                connections.close()
                serving.cancel()
                end.finish()
            }
        }
        guard !isStopping.isRaised else { return }
        connections.close()
        try await serving.value
        throw Problem(
            .internalError,
            "The control socket \(path) was closed.",
            remedy: "Restart tintyped; see its log for the reason."
        )
    }

    private static func uncancelled(_ ended: AsyncStream<Void>) async {
        await Task { for await _ in ended {} }.value
    }

    private func serve(_ server: NIOAsyncChannel<HTTP1Channel.Value?, Never>) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            try await server.executeThenClose { inbound in
                for try await case let connection? in inbound {
                    group.addTask { await self.http.serve(connection) }
                }
            }
        }
    }
}

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
        // Again, for the backlog: SwiftNIO 2.101 listens on a descriptor that it is given with 128, against its
        // option, and connect(2) on a full Unix socket fails at once.
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

/// Something that happens once; any thread may raise or read it.
final class Flag: Sendable {
    private let raised = Atomic(false)

    var isRaised: Bool { raised.load(ordering: .acquiring) }

    /// Raises it; true for the first call only.
    func raise() -> Bool { !raised.exchange(true, ordering: .acquiringAndReleasing) }
}
