// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import NIOCore

/// Closes a connection whose client does not read its reply.
///
/// Next to the socket: a piece of a reply counts as read once the kernel has accepted all of it; a Unix socket buffers
/// about 200 kB. Further requests of the connection wait until then, so a client that never reads costs one reply
/// queued here and one ready behind it. ``ReplyBudget`` limits both; from half of it on, clients have one second
/// instead of ``ServerLimits/reply``. On the connection's event loop.
final class SlowReaderTimeoutHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// Maximum size of a piece, in bytes; a client must read one piece within its time limit.
    private static let piece = 1 << 16
    private static let hurried = TimeAmount.seconds(1)

    private let limits: ServerLimits
    private let budget: ReplyBudget
    private let peer: String
    private let logger: Logger
    /// Pieces that the kernel has not fully accepted.
    private var pending = 0
    /// Bytes of the writes that it has not fully accepted.
    private var pendingBytes = 0
    /// Start of the first pending piece, or the time when the previous one was accepted.
    private var since = NIODeadline.uptimeNanoseconds(0)
    private var timer: Scheduled<Void>?
    private var isClosing = false

    init(_ limits: ServerLimits, _ budget: ReplyBudget, of peer: String, logger: Logger) {
        (self.limits, self.budget, self.peer, self.logger) = (limits, budget, peer, logger)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .byteBuffer(var rest) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        guard !isClosing else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        let bytes = rest.readableBytes
        let isWithinBudget = budget.add(bytes, to: pendingBytes, of: peer)
        pendingBytes += bytes
        if timer == nil { schedule(context) }
        while rest.readableBytes > Self.piece, let piece = rest.readSlice(length: Self.piece) {
            write(piece, context, nil)
        }
        write(rest, context, promise) { [self] in
            pendingBytes -= bytes
            budget.remove(bytes, of: peer)
        }
        guard !isWithinBudget else { return }
        isClosing = true
        logger.debug("Too much of the replies to \(peer) is unread; one of its clients is disconnected.")
        context.close(promise: nil)
    }

    /// Calls `whenTaken` once the kernel has accepted the piece, or the connection is closed.
    private func write(
        _ piece: ByteBuffer,
        _ context: ChannelHandlerContext,
        _ promise: EventLoopPromise<Void>?,
        whenTaken: @escaping () -> Void = {}
    ) {
        let loop = context.eventLoop
        if pending == 0 { since = loop.now }
        pending += 1
        let promise = promise ?? loop.makePromise()
        promise.futureResult.assumeIsolated().whenComplete { [self] _ in
            pending -= 1
            since = loop.now
            whenTaken()
        }
        context.write(wrapOutboundOut(.byteBuffer(piece)), promise: promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    private func schedule(_ context: ChannelHandlerContext) {
        let limit = TimeAmount(limits.reply)
        let hurried = min(limit, Self.hurried)
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: hurried) { [self] in
            timer = nil
            guard pending > 0 else { return }
            let most = budget.total > limits.unreadReplyBytes / 2 ? hurried : limit
            guard context.eventLoop.now - since >= most else { return schedule(context) }
            logger.debug(
                "A client has taken no 64 kB of its reply for \(most.nanoseconds / 1_000_000) ms; it is disconnected."
            )
            context.close(promise: nil)
        }
    }
}
