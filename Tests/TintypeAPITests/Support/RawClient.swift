// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOPosix
import Testing

final class RawClient {
    static let still = "GET /v1/cameras/pattern/still.jpg HTTP/1.1\r\nHost: a\r\n\r\n"

    private let channel: any Channel
    private var received: AsyncStream<ByteBuffer>.Iterator
    private var bytes: [UInt8] = []

    /// Connects and sends `request`; without `reads`, received bytes remain in the socket buffer.
    init(_ path: String, sending request: String? = nil, reads: Bool = true) async throws {
        let (stream, feed) = AsyncStream.makeStream(of: ByteBuffer.self)
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: reads)
            // So that `read()` reads no more than it returns.
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Feeder(feed))
                }
            }
            .connect(unixDomainSocketPath: path).get()
        received = stream.makeAsyncIterator()
        if let request { try await send(request) }
    }

    func send(_ text: String) async throws { try await channel.writeAndFlush(ByteBuffer(string: text)) }
    func send(_ bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)) }
    func close() async throws { try await channel.close() }
    /// Receives the first bytes of a reply; for a client made without `reads`.
    func receivesReply() async -> Bool {
        channel.read()
        guard let more = await received.next(isolation: #isolation) else { return false }
        bytes += more.readableBytesView
        return true
    }

    /// Reads from now on; for a client made without `reads`.
    func startReading() async throws { try await channel.setOption(.autoRead, value: true).get() }

    func closed() async throws { try await channel.closeFuture.get() }
    func closeSending() async throws { try await channel.close(mode: .output) }

    /// Requests the health; nil if the connection ends before the reply.
    ///
    /// On a busy machine the server may reply and close the connection before the request is sent.
    func get() async -> Reply? {
        try? await send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        return await reply()
    }

    /// Connects until a client is served and requests the health with it.
    ///
    /// On a busy machine the server may close the connection before the request arrives; over a limit it refuses it.
    static func served(_ path: String) async throws -> RawClient {
        while true {
            try Task.checkCancellation()
            let client = try await RawClient(path)
            guard let reply = await client.get(), reply.status != 429 else { continue }
            #expect(reply.status == 200)
            return client
        }
    }

    /// The next reply; nil if the connection ends before it is complete.
    func reply(toHead: Bool = false) async -> Reply? {
        while true {
            if let reply = Reply(from: &bytes, toHead: toHead) { return reply }
            guard let more = await received.next(isolation: #isolation) else { return nil }
            bytes += more.readableBytesView
        }
    }

    /// Receives bytes, discards them and returns their number; nil at the end.
    func more() async -> Int? { await received.next(isolation: #isolation)?.readableBytes }

    /// The next received bytes; nil at the end.
    func next() async -> [UInt8]? { (await received.next(isolation: #isolation)).map { Array($0.readableBytesView) } }

    /// Reads from the socket and returns the next bytes; nil at the end; for a client made without `reads`.
    func read() async -> [UInt8]? {
        channel.read()
        return await next()
    }

    /// All bytes received until the server closes the connection.
    func rest() async -> [UInt8] {
        while let more = await received.next(isolation: #isolation) { bytes += more.readableBytesView }
        return bytes
    }

    private final class Feeder: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let feed: AsyncStream<ByteBuffer>.Continuation

        init(_ feed: AsyncStream<ByteBuffer>.Continuation) { self.feed = feed }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { feed.yield(unwrapInboundIn(data)) }
        func channelInactive(context: ChannelHandlerContext) { feed.finish() }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
