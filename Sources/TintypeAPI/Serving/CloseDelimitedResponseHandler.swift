// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import NIOCore
internal import NIOHTTP1

/// Sends close-delimited replies (RFC 9112, 6.3): streams, and to HTTP/1.0 clients any reply without a known length.
///
/// A write completes once the kernel has accepted all of it. The kernel buffers about one part at most, so a slow
/// client still gets recent pictures. Next to the response encoder, on the connection's event loop.
final class CloseDelimitedResponseHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Smaller writes are the header or the end of a part, not a picture.
    private static let shortPart = 1024

    private static let unsent = NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT)

    private var isUnframed = false
    /// Part size that the socket buffer is set for, in bytes; 0 for the kernel's default.
    private var partBytes = 0

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head):
            // HTTPRulesHandler gives this version to close-delimited replies only.
            isUnframed = head.version == .http1_0
            // Makes each write wait for the previous one.
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

    /// Sizes the socket buffer for about one part.
    ///
    /// On a Unix socket the kernel doubles SO_SNDBUF (socket(7)) and accepts more once three quarters of it have been
    /// read. Over TCP it accepts more once the unsent data drops below TCP_NOTSENT_LOWAT (tcp(7)), regardless of data
    /// in flight.
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
