// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
internal import NIOHTTP1

/// Sends close-delimited replies (RFC 9112, 6.3): streams, and to HTTP/1.0 clients any reply without a known length.
///
/// A write completes once the kernel has accepted all of it. Next to the response encoder, on its event loop.
final class CloseDelimitedResponseHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private var isUnframed = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head):
            // HTTPRulesHandler gives this version to close-delimited replies only.
            isUnframed = head.version == .http1_0
            // Makes each write wait for the previous one.
            let mark = ChannelOptions.Types.WriteBufferWaterMark(low: 1, high: 1)
            if isUnframed { try? context.channel.syncOptions?.setOption(.writeBufferWaterMark, value: mark) }
        case .body: break
        case .end where isUnframed:
            let sent = promise ?? context.eventLoop.makePromise()
            sent.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
            return context.write(data, promise: sent)
        case .end: break
        }
        context.write(data, promise: promise)
    }
}
