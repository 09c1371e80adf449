// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import Synchronization
internal import TestSupport
internal import TintypeModel

@testable internal import tintype

/// A server on a Unix socket in a temporary folder, with replies set by the test.
struct FakeDaemon: Sendable {
    struct Request: Sendable {
        let method: String
        let target: String
        let headers: HTTPHeaders
        let body: [UInt8]
    }

    enum Reply: Sendable {
        /// A complete reply with Content-Length.
        case http(Int, [String: String], [UInt8])
        /// Raw bytes, then the connection closes.
        case bytes(String)
        /// Raw bytes, then nothing. The connection stays open.
        case beginning(String)
        /// Raw bytes as they come. The connection stays open.
        case stream(AsyncStream<String>)
        /// No reply.
        case silence
    }

    let folder: String
    let log: RequestLog
    /// Yields each request as it arrives.
    let arrivals: AsyncStream<Request>

    var socket: String { "\(folder)/s.sock" }

    /// Runs `body` against a server with the same reply to all requests, then removes it.
    static func serving<Result>(
        always reply: Reply,
        _ body: (FakeDaemon) async throws -> Result
    ) async throws -> Result {
        try await serving({ _ in reply }, body)
    }

    /// Runs `body` against a server that replies by `answer`, then removes it.
    static func serving<Result>(
        _ answer: @escaping @Sendable (Request) -> Reply,
        _ body: (FakeDaemon) async throws -> Result
    ) async throws -> Result {
        try await withTemporaryFolder { folder in
            let (arrivals, feed) = AsyncStream.makeStream(of: Request.self)
            let daemon = FakeDaemon(folder: folder, log: RequestLog(), arrivals: arrivals)
            let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.backlog, value: 128)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        daemon.log.connect()
                        try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                        try channel.pipeline.syncOperations.addHandler(
                            AnsweringHandler { request in
                                daemon.log.add(request)
                                feed.yield(request)
                                return answer(request)
                            }
                        )
                    }
                }
                .bind(unixDomainSocketPath: daemon.socket).get()
            defer { server.close(promise: nil) }
            return try await body(daemon)
        }
    }
}

final class RequestLog: Sendable {
    private let state = Mutex<(connections: Int, requests: [FakeDaemon.Request])>((0, []))

    var connections: Int { state.withLock { $0.connections } }
    var requests: [FakeDaemon.Request] { state.withLock { $0.requests } }

    func connect() { state.withLock { $0.connections += 1 } }
    func add(_ request: FakeDaemon.Request) { state.withLock { $0.requests.append(request) } }
}

private final class AnsweringHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let answer: (FakeDaemon.Request) -> FakeDaemon.Reply
    private var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
    private var body: [UInt8] = []

    init(_ answer: @escaping (FakeDaemon.Request) -> FakeDaemon.Reply) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = []
        case .body(let part): body += part.readableBytesView
        case .end:
            let request = FakeDaemon.Request(
                method: head.method.rawValue,
                target: head.uri,
                headers: head.headers,
                body: body
            )
            reply(answer(request), context)
        }
    }

    private func reply(_ reply: FakeDaemon.Reply, _ context: ChannelHandlerContext) {
        switch reply {
        case .http(let status, let fields, let bytes):
            var headers = HTTPHeaders(fields.map { ($0.key, $0.value) })
            headers.add(name: "Content-Length", value: "\(bytes.count)")
            let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        case .bytes(let text): send(text, isLast: true, context)
        case .beginning(let text): send(text, isLast: false, context)
        case .stream(let parts):
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            Task {
                for await text in parts {
                    bound.eventLoop.execute { bound.value.0.send(text, isLast: false, bound.value.1) }
                }
            }
        case .silence: break
        }
    }

    private func send(_ text: String, isLast: Bool, _ context: ChannelHandlerContext) {
        // Writes from the encoder's context, so that the bytes bypass the HTTP encoder.
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.pipeline.context(handlerType: HTTPResponseEncoder.self).whenSuccess { encoder in
            encoder.writeAndFlush(NIOAny(ByteBuffer(string: text)), promise: nil)
            if isLast { bound.value.close(promise: nil) }
        }
    }
}

extension FakeDaemon.Reply {
    /// The start of an endless reply in lines of JSON (chunked, RFC 9112, 7.1).
    static func lines(_ values: any Encodable...) throws -> FakeDaemon.Reply {
        .beginning(linesHead + (try values.map(line).joined()))
    }

    static let linesHead =
        "HTTP/1.1 200 OK\r\nContent-Type: \(StillList.linesMediaType)\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// Chunk with a line of JSON.
    static func line(_ value: any Encodable) throws -> String {
        let line = String(decoding: try WireFormat.encode(value), as: UTF8.self) + "\n"
        return "\(String(line.utf8.count, radix: 16))\r\n\(line)\r\n"
    }
}
