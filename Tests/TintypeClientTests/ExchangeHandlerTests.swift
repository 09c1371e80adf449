// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
internal import NIOEmbedded
internal import NIOHTTP1
internal import Testing

@testable internal import tintype

struct ExchangeHandlerTests {
    @Test func `lines passed on are not retained in memory`() throws {
        let handler = ExchangeHandler(socket: "s")
        let channel = EmbeddedChannel(handler: handler)
        let exchange = Exchange(
            request: ControlRequest(method: "GET", path: "/v1/events", deadline: nil),
            deadline: nil,
            reply: channel.eventLoop.makePromise(of: ControlResponse.self),
            lines: AsyncStream.makeStream(of: [UInt8].self).continuation
        )
        try channel.writeOutbound(exchange)
        try channel.writeInbound(HTTPClientResponsePart.head(HTTPResponseHead(version: .http1_1, status: .ok)))
        let line = String(repeating: "x", count: 999) + "\n"
        for _ in 0..<10_000 { try channel.writeInbound(HTTPClientResponsePart.body(ByteBuffer(string: line))) }
        #expect(handler.bytes.readableBytes == 0)
        #expect(handler.bytes.capacity < 100_000)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }
}
