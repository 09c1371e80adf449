// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOEmbedded
import TestSupport
import Testing
import TintypeModel

@testable import TintypeAPI

struct SlowReaderTimeoutTests {
    @Test(arguments: [1, 2, 50])
    func `a client that reads nothing is disconnected after the reply limit`(requests: Int) async throws {
        try await withServer(cameras: .large(), limits: ServerLimits(reply: .milliseconds(200))) { path, _ in
            let stills = String(repeating: RawClient.still, count: requests)
            let client = try await RawClient(path, sending: stills, reads: false)
            try await client.closed()
            // The server still answers other clients.
            let other = try await RawClient(path)
            #expect(await other.get()?.status == 200)
        }
    }

    @Test func `a client that reads gets the reply to each of its requests`() async throws {
        try await withServer(cameras: .large()) { path, _ in
            let client = try await RawClient(path, sending: String(repeating: RawClient.still, count: 5))
            for _ in 0..<5 { #expect(await client.reply()?.body.count == 8_000_000) }
        }
    }

    /// A socket whose client reads a piece only on demand of the test.
    private final class SlowSocket: ChannelOutboundHandler {
        typealias OutboundIn = IOData
        private var pieces: [EventLoopPromise<Void>?] = []

        var isPending: Bool { !pieces.isEmpty }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            pieces.append(promise)
        }

        func take() { pieces.removeFirst()?.succeed() }

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            for piece in pieces { piece?.fail(ChannelError.ioOnClosedChannel) }
            pieces = []
            context.close(mode: mode, promise: promise)
        }
    }

    private func connection(
        _ limits: ServerLimits,
        _ budget: ReplyBudget,
        on loop: EmbeddedEventLoop,
        bytes: Int,
        of peer: String = "uid 7"
    ) throws -> (channel: EmbeddedChannel, socket: SlowSocket) {
        let socket = SlowSocket()
        let channel = EmbeddedChannel(loop: loop)
        let handler = SlowReaderTimeoutHandler(limits, budget, of: peer, logger: .quiet)
        try channel.pipeline.syncOperations.addHandlers([socket, handler])
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/socket")).wait()
        channel.writeAndFlush(ByteBuffer(repeating: 7, count: bytes), promise: nil)
        return (channel, socket)
    }

    @Test func `a slow but steady reader gets the whole reply`() throws {
        let (loop, limits) = (EmbeddedEventLoop(), ServerLimits(reply: .seconds(30)))
        let (channel, socket) = try connection(limits, .init(bytes: 1 << 30), on: loop, bytes: 8_000_000)
        var pieces = 0
        while socket.isPending {
            loop.advanceTime(by: .seconds(29))
            #expect(channel.isActive)
            socket.take()
            pieces += 1
        }
        // 64 KiB each.
        #expect(pieces == 123)
        loop.advanceTime(by: .hours(1))
        #expect(channel.isActive)
    }

    @Test func `a client that stops reading is disconnected`() throws {
        let (loop, limits) = (EmbeddedEventLoop(), ServerLimits(reply: .seconds(30)))
        let (channel, socket) = try connection(limits, .init(bytes: 1 << 30), on: loop, bytes: 8_000_000)
        loop.advanceTime(by: .seconds(29))
        socket.take()
        loop.advanceTime(by: .seconds(29))
        #expect(channel.isActive)
        loop.advanceTime(by: .seconds(2))
        #expect(!channel.isActive)
    }

    @Test func `the reply limit is shorter while too many bytes are unread in total`() throws {
        var limits = ServerLimits(reply: .seconds(60))
        // Half of it is more than one reply, less than two.
        limits.unreadReplyBytes = 24_000_000
        let (loop, budget) = (EmbeddedEventLoop(), ReplyBudget(bytes: limits.unreadReplyBytes))
        let (first, _) = try connection(limits, budget, on: loop, bytes: 8_000_000)
        loop.advanceTime(by: .seconds(10))
        #expect(first.isActive)
        let (second, _) = try connection(limits, budget, on: loop, bytes: 8_000_000, of: "uid 8")
        loop.advanceTime(by: .seconds(2))
        #expect(!first.isActive && second.isActive)
        // The remaining bytes are below the limit.
        loop.advanceTime(by: .seconds(50))
        #expect(second.isActive)
        loop.advanceTime(by: .seconds(10))
        #expect(!second.isActive)
    }

    @Test func `a connection of a peer with far too many unread bytes is closed`() throws {
        let (loop, budget) = (EmbeddedEventLoop(), ReplyBudget(bytes: 16_000_000))
        let all = try ["uid 7", "uid 7", "uid 8", "uid 7"].map { peer in
            try connection(ServerLimits(), budget, on: loop, bytes: 5_000_000, of: peer).channel
        }
        loop.run()
        #expect(all.map(\.isActive) == [true, true, true, false])
        #expect(budget.total == 15_000_000)
    }

    @Test func `the reply limit starts with the reply, not with the request`() throws {
        let (loop, limits) = (EmbeddedEventLoop(), ServerLimits(reply: .seconds(30)))
        let (channel, socket) = try connection(limits, .init(bytes: 1 << 30), on: loop, bytes: 1)
        socket.take()
        for _ in 0..<2 {
            // The connection waits for the camera. The limit starts with the reply.
            loop.advanceTime(by: .hours(1))
            #expect(channel.isActive)
            channel.writeAndFlush(ByteBuffer(repeating: 7, count: 10), promise: nil)
            loop.advanceTime(by: .seconds(29))
            #expect(channel.isActive && socket.isPending)
            socket.take()
        }
    }
}
