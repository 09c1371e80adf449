// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// The daemon's HTTP API over its Unix socket, for concurrent use; each call opens a new connection.
struct ControlClient: ControlExchange {
    let socket: String

    static let defaultSocket = "/run/tintype/tintyped.sock"

    func send(_ request: ControlRequest) async throws -> ControlResponse {
        let start = NIODeadline.now()
        return try await withConnection(within: request.deadline) { try await $0.send(request, since: start) }
    }

    /// Opens a connection for `body`, and closes it when `body` returns or throws.
    func withConnection<Result>(
        within limit: Duration? = ControlRequest.defaultDeadline,
        _ body: (ControlConnection) async throws -> Result
    ) async throws -> Result {
        let connection = try await ControlConnection.open(socket, within: limit)
        do {
            let result = try await body(connection)
            await connection.close()
            return result
        } catch {
            await connection.close()
            throw error
        }
    }
}

/// One open connection to the daemon; requests on it are sent one after the other (RFC 9112, 9.3).
///
/// After an error, a cancelled request or a reply with `Connection: close` it is unusable: later requests throw
/// ``ClientError`` of the kind `closed` or of the first failure.
struct ControlConnection: ControlExchange {
    private let channel: any Channel
    private let socket: String

    /// Connects to the Unix socket at path `socket`; does not block.
    static func open(_ socket: String, within limit: Duration?) async throws -> ControlConnection {
        let bootstrap = bootstrap(socket).connectTimeout(limit.map(TimeAmount.init) ?? .hours(24))
        do {
            let channel = try await bootstrap.connect(unixDomainSocketPath: socket).get()
            return ControlConnection(channel: channel, socket: socket)
        } catch {
            if case ChannelError.connectTimeout = error { throw ClientError.deadline(limit ?? .zero, at: socket) }
            throw ClientError.connecting(to: socket, error)
        }
    }

    /// Takes ownership of `descriptor`, a connected stream socket; `name` replaces the path in errors.
    static func adopt(_ descriptor: CInt, as name: String) async throws -> ControlConnection {
        let channel = try await bootstrap(name).withConnectedSocket(descriptor).get()
        return ControlConnection(channel: channel, socket: name)
    }

    private static func bootstrap(_ socket: String) -> ClientBootstrap {
        ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHTTPClientHandlers()
                try channel.pipeline.syncOperations.addHandler(ExchangeHandler(socket: socket))
            }
        }
    }

    /// Cancelling the task closes the connection and throws `CancellationError` at once.
    func send(_ request: ControlRequest) async throws -> ControlResponse {
        try await send(request, since: .now())
    }

    /// Counts the deadline from `start`; `lines` gets the lines of a 2xx body as they arrive, and ends with the reply.
    func send(
        _ request: ControlRequest,
        since start: NIODeadline,
        lines: AsyncStream<[UInt8]>.Continuation? = nil
    ) async throws -> ControlResponse {
        defer { lines?.finish() }
        try Task.checkCancellation()
        let reply = channel.eventLoop.makePromise(of: ControlResponse.self)
        let deadline = request.deadline.map { start + TimeAmount($0) }
        let written = channel.eventLoop.makePromise(of: Void.self)
        // The handlers of a closed channel are gone and cannot fail the promise.
        written.futureResult.whenFailure { [socket] _ in reply.fail(ClientError.closed(at: socket)) }
        let exchange = Exchange(request: request, deadline: deadline, reply: reply, lines: lines)
        channel.writeAndFlush(exchange, promise: written)
        return try await withTaskCancellationHandler {
            do {
                return try await reply.futureResult.get()
            } catch {
                try Task.checkCancellation()
                throw error
            }
        } onCancel: {
            channel.close(promise: nil)
        }
    }

    func close() async {
        // Fails only if the connection is already closed.
        try? await channel.close().get()
    }
}
