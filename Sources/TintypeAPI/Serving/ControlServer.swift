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
package import TintypeSystem

/// Serves the HTTP API on a Unix socket, and over TCP where that is asked for, until it is told to stop.
///
/// Graceful shutdown stops accepting at once and gives requests in flight ``ServerLimits/grace``. Then each that has no
/// reply yet is answered `stopping`, every connection is closed within ``ServerLimits/parting``, and ``run()`` returns,
/// whether or not a handler does. A client that goes away cancels its handler's task.
package final class ControlServer: Service {
    private let listener: Mutex<ControlListener?>
    let path: String
    private let tcp: TCPAddress?
    private let passed: [CInt]
    let limits: ServerLimits
    let logger: Logger
    let http: HTTPConnections
    private let connections: ConnectionTable
    /// The sockets that listen; none before ``run()``.
    let listening = Mutex<[any Channel]>([])
    private let onListening: @Sendable () async -> Void

    /// A server on `listener`, and on sockets of the network that are `passed`, which it owns from now on, and on `tcp`;
    /// nil for none.
    ///
    /// `onListening` is called once, when the socket listens and has its name: clients
    /// are served from then on.
    package init(
        listener: consuming sending ControlListener,
        tcp: TCPAddress? = nil,
        passed: [CInt] = [],
        services: ControlServices,
        logger: Logger,
        limits: ServerLimits = ServerLimits(),
        onListening: @escaping @Sendable () async -> Void = {}
    ) {
        path = listener.path
        self.listener = Mutex(consume listener)
        (self.tcp, self.passed) = (tcp, passed)
        self.limits = limits
        self.logger = logger
        self.onListening = onListening
        connections = ConnectionTable(limits: limits, clock: services.clock, logger: logger)
        let responder = ControlResponder(services, limits: limits, logger: logger)
        http = HTTPConnections(responder, limits: limits, clock: services.clock, logger: logger)
    }

    /// Serves until graceful shutdown or cancellation; may be called once.
    ///
    /// Throws `internal` if the socket fails for good, or if it has run before.
    package func run() async throws {
        guard var listener = listener.withLock({ $0.take() }), let descriptor = listener.takeDescriptor() else {
            throw Problem(.internalError, "The server on \(path) has run already.", remedy: "Make another one.")
        }
        var servers = [try await listen(descriptor)]
        do {
            for descriptor in passed { servers.append(try await listen(descriptor)) }
            if let tcp { servers.append(try await listen(tcp)) }
            try listener.appear()
        } catch {
            for server in servers { try? await server.executeThenClose { _ in } }
            throw error
        }
        self.listening.withLock { [servers] in $0 = servers.map(\.channel) }
        await onListening()

        // Not structured: a handler that does not return must not keep the daemon from leaving, and a task group would
        // wait for it. What still runs after the grace is left to the end of the process.
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let serving = Task { [servers] in
            defer { end.finish() }
            try await serve(servers)
        }
        let isStopping = OnceFlag()
        await withTaskCancellationOrGracefulShutdownHandler {
            // Not the stream's own cancellation: graceful shutdown and cancellation end it the same way, with grace.
            await Self.uncancelled(ended)
        } onCancelOrGracefulShutdown: { [limits, connections, servers] in
            guard isStopping.raise() else { return }
            for server in servers { server.channel.close(promise: nil) }
            connections.quiesce()
            let eventLoop = servers[0].channel.eventLoop
            eventLoop.scheduleTask(in: TimeAmount(limits.grace)) {
                // On a busy machine an event loop comes to its connections late: the time for the replies begins then.
                connections.leave(on: eventLoop).whenComplete { _ in
                    eventLoop.scheduleTask(in: TimeAmount(limits.parting)) {
                        connections.close()
                        serving.cancel()
                        end.finish()
                    }
                }
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

    /// The event loops as a watchdog asks them: they accept connections, and read and answer requests.
    package static var heartbeats: [Heartbeat] {
        MultiThreadedEventLoopGroup.singleton.makeIterator().map { loop in
            Heartbeat("an event loop of the control socket", of: loop) { answer in loop.execute(answer) }
        }
    }

    /// The connections that are open, and how many have been served since the start.
    package var connectionCount: (open: Int, total: UInt64) { connections.count }

    /// Takes further connections, or none: then clients wait in the queues of the sockets.
    package func takeConnections(_ wanted: Bool) async {
        for channel in listening.withLock(\.self) { try? await channel.setOption(.autoRead, value: wanted).get() }
    }

    private static func uncancelled(_ ended: AsyncStream<Void>) async {
        await Task { for await _ in ended {} }.value
    }

    /// Serves the connections of all, until one of them ends.
    private func serve(_ servers: [Listening]) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for server in servers {
                group.addTask {
                    defer { for other in servers { other.channel.close(promise: nil) } }
                    try await withThrowingDiscardingTaskGroup { group in
                        try await server.executeThenClose { inbound in
                            for try await case let connection? in inbound {
                                group.addTask { await self.http.serve(connection) }
                            }
                        }
                    }
                }
            }
        }
    }
}

extension ControlServer {
    /// A socket that listens, with the connections to serve; nil for one that is refused.
    typealias Listening = NIOAsyncChannel<HTTPConnections.Connection?, Never>

    private func listen(_ descriptor: CInt) async throws -> Listening {
        if Glibc.listen(descriptor, ControlListener.backlog) != 0 {
            logger.warning("listen on \(path): error \(errno). Many clients at once may be refused.")
        }
        // SwiftNIO 2.101 listens on a descriptor that it is given with a queue of 128, against its option. A client whose
        // connect(2) does not wait is refused where more are in the queue: so it gets another socket, which this replaces.
        let place = try UnixSocket.bound(to: "")
        return try await bootstrap { try UnixSocket.move(descriptor, to: place) }.bind(place) { self.accept($0) }
    }

    /// Listens on an address of the network; throws ``ListenerError``.
    private func listen(_ tcp: TCPAddress) async throws -> Listening {
        let server: Listening
        do {
            server =
                try await bootstrap()
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelOption(.socketOption(.so_keepalive), value: 1)
                .bind(host: tcp.host, port: tcp.port) { self.accept($0) }
        } catch let error as IOError {
            throw ListenerError.port("\(tcp)", errno: error.errnoCode, text: ErrnoText.of(error.errnoCode))
        }
        let bound = TCPAddress(host: tcp.host, port: server.channel.localAddress?.port ?? tcp.port)
        logger.notice("serving over TCP", metadata: ["tcp": "\(bound)"])
        return server
    }

    /// Makes servers; `prepare` is called before one looks at its socket.
    private func bootstrap(_ prepare: @escaping @Sendable () throws -> Void = {}) -> ServerBootstrap {
        ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelInitializer { [logger] channel in
                channel.eventLoop.makeCompletedFuture {
                    try prepare()
                    try channel.pipeline.syncOperations.addHandler(AcceptPauseHandler(logger: logger))
                }
            }
            // A client may close its sending side and still wait for the reply; one that is gone altogether is told by
            // EPOLLHUP, which closes the channel.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
    }

    private func accept(_ channel: any Channel) -> EventLoopFuture<HTTPConnections.Connection?> {
        let peer = Peer.of(channel)
        // Otherwise the client of a connection that cannot be judged would wait for ever.
        peer.whenFailure { _ in channel.close(promise: nil) }
        return peer.flatMap { peer in
            if let refusal = self.connections.add(channel, of: peer) {
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(HTTPResponseEncoder(), refusal)
                    return nil
                }
            }
            return self.http.setUp(channel, of: peer).map { $0 }
        }
    }
}
