// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import NIOCore
internal import Synchronization

/// Ends a connection whose client does not take what it is sent.
///
/// It is next to the socket: a piece of a reply counts as taken once the kernel has all of it; a Unix socket keeps some
/// 200 kB for the client. While a reply is not taken no further request of that connection is answered, so that a
/// client that never reads costs one reply that waits here and one that is ready behind it. Where all that waits here is
/// more than ``ServerLimits/untakenBytes``, clients have a second instead of ``ServerLimits/reply``.
///
/// On the connection's event loop.
final class UntakenReplyHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// The bytes that wait for the clients of all connections.
    final class Waiting: Sendable {
        fileprivate let bytes = Atomic(0)
    }

    /// The most bytes of a piece: a client that takes so much within its time goes on.
    private static let piece = 1 << 16
    private static let hurried = TimeAmount.seconds(1)

    private let limits: ServerLimits
    private let waiting: Waiting
    private let logger: Logger
    /// Pieces that the kernel does not have whole.
    private var pending = 0
    /// When the first of them began, or the one before it was taken.
    private var since = NIODeadline.uptimeNanoseconds(0)
    private var timer: Scheduled<Void>?

    init(_ limits: ServerLimits, _ waiting: Waiting, logger: Logger) {
        self.limits = limits
        self.waiting = waiting
        self.logger = logger
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .byteBuffer(var rest) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        while rest.readableBytes > Self.piece, let piece = rest.readSlice(length: Self.piece) {
            write(piece, context, nil)
        }
        write(rest, context, promise)
    }

    private func write(_ piece: ByteBuffer, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        let loop = context.eventLoop
        if pending == 0 { since = loop.now }
        pending += 1
        let bytes = piece.readableBytes
        waiting.bytes.add(bytes, ordering: .relaxed)
        let promise = promise ?? loop.makePromise()
        promise.futureResult.assumeIsolated().whenComplete { [self] _ in
            pending -= 1
            waiting.bytes.subtract(bytes, ordering: .relaxed)
            since = loop.now
        }
        if timer == nil { schedule(context) }
        context.write(wrapOutboundOut(.byteBuffer(piece)), promise: promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    private func schedule(_ context: ChannelHandlerContext) {
        let limit = TimeAmount(limits.reply)
        let hurried = min(limit, Self.hurried)
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: hurried) { [self] in
            timer = nil
            guard pending > 0 else { return }
            let most = waiting.bytes.load(ordering: .relaxed) > limits.untakenBytes ? hurried : limit
            guard context.eventLoop.now - since >= most else { return schedule(context) }
            logger.debug(
                "A client has taken no 64 kB of its reply for \(most.nanoseconds / 1_000_000) ms; it is disconnected."
            )
            context.close(promise: nil)
        }
    }
}
