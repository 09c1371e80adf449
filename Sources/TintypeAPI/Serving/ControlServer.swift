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

/// Serves the HTTP API on a Unix socket, and optionally over TCP, until shutdown.
///
/// Graceful shutdown stops accepting at once and gives requests in flight ``ServerLimits/grace``. Then every pending
/// request is answered `stopping`, all connections are closed within ``ServerLimits/parting``, and ``run()`` returns
/// even if a handler does not. A client that disconnects cancels its handler's task.
package final class ControlServer: Service {
    private let listener: Mutex<ControlListener?>
    let path: String
    private let tcp: TCPAddress?
    private let passed: [CInt]
    let limits: ServerLimits
    let logger: Logger
    let http: HTTPConnections
    private let connections: ConnectionTable
    /// Listening sockets; empty before ``run()``.
    let listening = Mutex<[any Channel]>([])
    private let onListening: @Sendable () async -> Void

    /// Takes ownership of `listener` and the `passed` TCP sockets, and binds `tcp`; `onListening` is called once, when
    /// the socket listens under its final name and clients are served.
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
        (self.limits, self.logger, self.onListening) = (limits, logger, onListening)
        connections = ConnectionTable(limits: limits, clock: services.clock, logger: logger)
        http = HTTPConnections(services, limits: limits, logger: logger)
    }

    /// Serves until graceful shutdown or cancellation; throws `internal` if a socket fails for good or on a second
    /// call, and ``ListenerError`` if one cannot be opened.
    package func run() async throws {
        guard var listener = listener.withLock({ $0.take() }), let descriptor = listener.takeDescriptor() else {
            throw Problem(.internalError, "The server on \(path) has run already.", remedy: "Make another one.")
        }
        var servers = [try await listen(descriptor)]
        do {
            let places = passed.map(UnixSocket.listening)
            for descriptor in passed { servers.append(try await listen(descriptor)) }
            if let tcp {
                do {
                    servers.append(try await listen(tcp))
                } catch is ListenerError where places.contains(.network(port: tcp.port)) {
                    logger.warning("tcp.port has no effect: systemd listens on \(tcp.port). Leave the key out.")
                }
            }
            try listener.appear()
        } catch {
            for server in servers { try? await server.executeThenClose { _ in } }
            throw error
        }
        self.listening.withLock { [servers] in $0 = servers.map(\.channel) }
        await onListening()

        // Unstructured, because a task group would wait for a handler that does not return and keep the daemon from
        // stopping. Handlers that still run after the grace period end with the process.
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let serving = Task { [servers] in
            defer { end.finish() }
            try await serve(servers)
        }
        let isStopping = OnceFlag()
        await withTaskCancellationOrGracefulShutdownHandler {
            // Must not end with this task's cancellation: cancellation gets the same grace period as graceful shutdown.
            await Task { for await _ in ended {} }.value
        } onCancelOrGracefulShutdown: { [limits, connections, servers] in
            guard isStopping.raise() else { return }
            for server in servers { server.channel.close(promise: nil) }
            connections.quiesce()
            let eventLoop = servers[0].channel.eventLoop
            eventLoop.scheduleTask(in: TimeAmount(limits.grace)) {
                // On a busy machine an event loop may be late; the time for the replies starts once all have run.
                connections.answerPending(on: eventLoop).whenComplete { _ in
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
        let remedy = "Restart tintyped; see its log for the reason."
        throw Problem(.internalError, "The control socket \(path) was closed.", remedy: remedy)
    }

    /// Heartbeats, for the watchdog, of the event loops that accept connections and answer requests.
    package static var heartbeats: [Heartbeat] {
        MultiThreadedEventLoopGroup.singleton.makeIterator().map { loop in
            Heartbeat("an event loop of the control socket", of: loop) { answer in loop.execute(answer) }
        }
    }

    package var connectionCount: (open: Int, total: UInt64) { connections.count }

    /// Resumes or pauses accepting; while paused, clients wait in the backlog.
    package func setAccepting(_ isAccepting: Bool) async {
        for channel in listening.withLock(\.self) { try? await channel.setOption(.autoRead, value: isAccepting).get() }
    }

    /// Serves all listening sockets until one of them ends.
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

    /// A listening socket; yields connections to serve, or nil for a refused one.
    typealias Listening = NIOAsyncChannel<HTTPConnections.Connection?, Never>

    private func listen(_ descriptor: CInt) async throws -> Listening {
        if Glibc.listen(descriptor, ControlListener.backlog) != 0 {
            logger.warning("listen on \(path): error \(errno). Many clients at once may be refused.")
        }
        // On a descriptor given to it, SwiftNIO 2.101 calls listen(2) with a backlog of 128 and ignores its option. A
        // nonblocking connect(2) fails while the backlog is full. Hence it is given a placeholder socket, which the
        // real one then replaces.
        let place = try UnixSocket.bound(to: "")
        return try await bootstrap { try UnixSocket.move(descriptor, to: place) }.bind(place) { self.accept($0) }
    }

    /// Listens on a TCP address; throws ``ListenerError``.
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
            throw ListenerError.port("\(tcp)", errno: error.errnoCode)
        }
        let bound = TCPAddress(host: tcp.host, port: server.channel.localAddress?.port ?? tcp.port)
        logger.notice("serving over TCP", metadata: ["tcp": "\(bound)"])
        return server
    }

    /// Number of bytes of a connection that are read at once: more than a usual request, and few of those that a client
    /// sends without waiting for the replies.
    private static let readBytes = 4096

    /// `prepare` runs before the server channel accesses its socket.
    private func bootstrap(_ prepare: @escaping @Sendable () throws -> Void = {}) -> ServerBootstrap {
        ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelInitializer { [logger] channel in
                channel.eventLoop.makeCompletedFuture {
                    try prepare()
                    try channel.pipeline.syncOperations.addHandler(AcceptPauseHandler(logger: logger))
                }
            }
            // A client may shut down its sending side and still wait for the reply. A full close arrives as EPOLLHUP,
            // which closes the channel.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            // All requests in what is read at once are decoded, each to a kilobyte or more.
            .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.readBytes))
            .childChannelOption(.maxMessagesPerRead, value: 1)
    }

    private func accept(_ channel: any Channel) -> EventLoopFuture<HTTPConnections.Connection?> {
        let peer = Peer.of(channel)
        // Otherwise a client that cannot be identified would wait forever.
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

/// Limits that keep one client from harming the others.
package struct ServerLimits: Hashable, Sendable {
    /// Maximum time without a complete request head, from the start of the connection or the last reply.
    package var idle = Duration.seconds(30)
    /// Maximum time for the body of a request to arrive.
    package var body = Duration.seconds(10)
    /// Maximum time for a client to read 64 KiB of a reply, or its remainder.
    package var reply = Duration.seconds(30)
    /// Maximum unread reply bytes of all clients, and four times that of one peer.
    ///
    /// From half of it on, each client has one second instead of ``reply``.
    package var unreadReplyBytes = 128 << 20
    /// Time for requests in flight after shutdown begins.
    package var grace = Duration.milliseconds(200)
    /// Time for the last replies after ``grace``.
    package var parting = Duration.milliseconds(100)
    /// An idle connection costs 20 kB, and 58 kB after its first request: all together at most 120 MB.
    package var connections = 2048
    /// Maximum number of connections per user (uid) or TCP address: three quarters of all, leaving room for others.
    package var connectionsOfOnePeer = 1536
    /// Maximum size of the body of a request.
    package var bodyBytes = 65_536
    /// Maximum bytes received of an unread body, so that the client of one that is too large can read its reply.
    package var unreadBodyBytes = 1 << 20
    /// Maximum size of one header field and of the whole header, in bytes.
    package var headerBytes = 32_768

    /// At most half of the descriptors (RLIMIT_NOFILE) are connections: a shortage refuses clients, not cameras.
    package static func within(openFiles: Int) -> ServerLimits {
        var limits = ServerLimits()
        limits.connections = min(limits.connections, openFiles / 2)
        limits.connectionsOfOnePeer = limits.connections * 3 / 4
        return limits
    }
}
