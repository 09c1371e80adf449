// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import NIOCore

/// Ends a connection whose client does not take what it is sent.
///
/// It is next to the socket: a write counts as taken once the kernel has all of it; a Unix socket keeps some
/// 200 kB for the client. While a reply is not taken no further request of that connection is answered, so that a
/// client that never reads costs one reply that waits here, one that is ready behind it, and other clients nothing.
///
/// On the connection's event loop.
final class UntakenReplyHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let limit: TimeAmount
    private let logger: Logger
    /// Writes that the kernel does not have whole.
    private var pending = 0
    /// When the first of them began, or the one before it was taken.
    private var since = NIODeadline.uptimeNanoseconds(0)
    private var timer: Scheduled<Void>?

    /// Gives each write `limit`.
    init(limit: TimeAmount, logger: Logger) {
        self.limit = limit
        self.logger = logger
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if pending == 0 { since = .now() }
        pending += 1
        let promise = promise ?? context.eventLoop.makePromise()
        promise.futureResult.assumeIsolated().whenComplete { [self] _ in
            pending -= 1
            since = .now()
        }
        if timer == nil { schedule(context, in: limit) }
        context.write(data, promise: promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    private func schedule(_ context: ChannelHandlerContext, in time: TimeAmount) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
            timer = nil
            guard pending > 0 else { return }
            let left = limit - (.now() - since)
            guard left <= .zero else { return schedule(context, in: left) }
            let milliseconds = limit.nanoseconds / 1_000_000
            logger.debug("A client has not taken its reply for \(milliseconds) ms; it is disconnected.")
            context.close(promise: nil)
        }
    }
}
