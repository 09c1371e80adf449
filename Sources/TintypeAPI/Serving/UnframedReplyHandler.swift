// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import NIOCore
internal import NIOHTTP1

/// Sends replies that have no length and end with their connection (RFC 9112, 6.3): streams, and to clients of HTTP/1.0
/// whatever is made while it is sent.
///
/// A write ends when the kernel has all of it, and the kernel keeps no more than about one part for a client that is slow
/// to read: what it is sent next is new. Next to the encoder of replies, on the connection's event loop.
final class UnframedReplyHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// What is shorter is no picture: the header of a part, or the end of one.
    private static let shortPart = 1024

    private static let unsent = NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT)

    private var isUnframed = false
    /// The size that the socket's buffer is set for, in bytes; 0 for what the kernel gives.
    private var partBytes = 0

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head):
            // The version that HTTPRulesHandler gives to these, and to no others.
            isUnframed = head.version == .http1_0
            // The next write waits for this one.
            let mark = ChannelOptions.Types.WriteBufferWaterMark(low: 1, high: 1)
            if isUnframed { try? context.channel.syncOptions?.setOption(.writeBufferWaterMark, value: mark) }
        case .body(.byteBuffer(let part)) where isUnframed && part.readableBytes > Self.shortPart:
            setSendBuffer(part.readableBytes, context)
        case .body: break
        case .end where isUnframed:
            let sent = promise ?? context.eventLoop.makePromise()
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            sent.futureResult.whenComplete { _ in bound.value.close(promise: nil) }
            return context.write(data, promise: sent)
        case .end: break
        }
        context.write(data, promise: promise)
    }

    /// Has the socket take about one part.
    ///
    /// Of a Unix socket the kernel doubles the number, and takes more once three quarters of it have been read (SO_SNDBUF
    /// of socket(7)); over TCP it takes more once so much is not sent (TCP_NOTSENT_LOWAT of tcp(7)), whatever is on its way.
    private func setSendBuffer(_ bytes: Int, _ context: ChannelHandlerContext) {
        guard bytes > partBytes || bytes < partBytes / 2 else { return }
        partBytes = bytes + bytes / 4
        let size = SocketOptionValue(partBytes / 2)
        let isUnix = context.channel.localAddress?.protocol == .unix
        let option =
            isUnix ? .socketOption(.so_sndbuf) : ChannelOptions.Types.SocketOption(level: .tcp, name: Self.unsent)
        try? context.channel.syncOptions?.setOption(option, value: size)
    }
}
