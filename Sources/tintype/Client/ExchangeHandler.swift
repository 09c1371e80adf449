// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
internal import NIOHTTP1

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
