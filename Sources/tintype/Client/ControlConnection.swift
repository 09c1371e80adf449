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

struct Exchange: Sendable {
    let request: ControlRequest
    let deadline: NIODeadline?
    let reply: EventLoopPromise<ControlResponse>
    /// Receives each line of a 2xx body as it arrives, instead of the reply's body; if nil, the reply keeps the body.
    let lines: AsyncStream<[UInt8]>.Continuation?
}

/// Sends a connection's requests one after the other, on its event loop; any error closes it and fails all exchanges.
final class ExchangeHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = Exchange
    typealias OutboundOut = HTTPClientRequestPart

    private let socket: String
    private var waiting: CircularBuffer<Exchange> = []
    private var current: Exchange?
    private var timer: Scheduled<Void>?
    private var partial = ControlResponse(status: 0)
    /// Body received so far, without the lines already passed on.
    private(set) var bytes = ByteBuffer()
    private var failure: ClientError?

    init(socket: String) { self.socket = socket }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let exchange = unwrapOutboundIn(data)
        promise?.succeed()
        if let failure { return exchange.reply.fail(failure) }
        waiting.append(exchange)
        startNext(context)
    }

    private func startNext(_ context: ChannelHandlerContext) {
        guard current == nil, let exchange = waiting.popFirst() else { return }
        current = exchange
        if let deadline = exchange.deadline {
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            timer = context.eventLoop.scheduleTask(deadline: deadline) {
                let (handler, context) = bound.value
                handler.fail(context, .deadline(exchange.request.deadline ?? .zero, at: handler.socket))
            }
        }
        let request = exchange.request
        var headers = HTTPHeaders([("Host", "localhost")])
        for (name, value) in request.headers.sorted(by: { $0.key < $1.key }) { headers.add(name: name, value: value) }
        if !request.body.isEmpty { headers.add(name: "Content-Length", value: "\(request.body.count)") }
        let method = HTTPMethod(rawValue: request.method)
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: request.target, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !request.body.isEmpty {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: request.body)))), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let exchange = current else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            partial = ControlResponse(status: Int(head.status.code), headers: head.headers)
            bytes.clear()
            let length = partial.header("Content-Length").flatMap { Int($0) } ?? 0
            guard length <= ControlResponse.sizeLimit else { return fail(context, .tooLarge(at: socket)) }
        case .body(var part):
            guard bytes.readableBytes + part.readableBytes <= ControlResponse.sizeLimit else {
                return fail(context, .tooLarge(at: socket))
            }
            bytes.writeBuffer(&part)
            guard let lines = exchange.lines, (200..<300).contains(partial.status) else { return }
            while let end = bytes.readableBytesView.firstIndex(of: UInt8(ascii: "\n")),
                let line = bytes.readBytes(length: end + 1 - bytes.readerIndex)
            {
                if case .dropped = lines.yield(line) { return fail(context, .closed(at: socket)) }
            }
            // Frees the lines passed on: the reply may be endless.
            bytes.discardReadBytes()
        case .end:
            partial.body = Array(bytes.readableBytesView)
            timer?.cancel()
            current = nil
            exchange.reply.succeed(partial)
            startNext(context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case let error as HTTPParserError where error != .invalidEOFState: fail(context, .notHTTP(at: socket))
        case is NIOHTTPDecoderError, is ByteToMessageDecoderError:
            fail(context, .notHTTP(at: socket))
        default: fail(context, .closed(at: socket))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(context, .closed(at: socket))
        context.fireChannelInactive()
    }

    /// Fails all waiting exchanges and closes the channel; only the first call has an effect.
    private func fail(_ context: ChannelHandlerContext, _ error: ClientError) {
        guard failure == nil else { return }
        failure = error
        timer?.cancel()
        current?.reply.fail(error)
        current = nil
        while let exchange = waiting.popFirst() { exchange.reply.fail(error) }
        context.close(promise: nil)
    }
}
