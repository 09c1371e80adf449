// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import NIOCore

/// Stops accepting connections for ``interval`` where accept(2) has failed.
///
/// accept(2) fails with EMFILE or ENFILE when descriptors run out, with ENOMEM or ENOBUFS when memory does. SwiftNIO
/// 2.101 goes on polling the listening socket then, which is readable all the time: that takes a whole core, and its
/// `AcceptBackoffHandler` cannot help, since no read is asked for. Clients wait in the backlog meanwhile. The log has a
/// warning when it begins and a notice when it is over.
///
/// Next to the listening socket, on its event loop.
final class AcceptPauseHandler: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias OutboundIn = Never

    /// How often accept(2) is tried.
    static let interval = TimeAmount.seconds(1)

    private let logger: Logger
    private var isPaused = false
    /// Runs from the first failure until accept(2) has not failed for ``interval``.
    private var timer: Scheduled<Void>?

    init(logger: Logger) { self.logger = logger }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Others close the socket, which ends the server.
        guard error is IOError, context.channel.isActive else { return context.fireErrorCaught(error) }
        if timer == nil {
            logger.warning("accept(2) on the control socket: \(error). Clients wait; raise LimitNOFILE= if this stays.")
            schedule(context)
        } else {
            logger.debug("accept(2) on the control socket: \(error).")
        }
        pause(true, context)
    }

    func read(context: ChannelHandlerContext) {
        guard !isPaused else { return }
        context.read()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    /// The channel reads on request only while it is paused: without that, it stays registered with epoll(7).
    private func pause(_ wanted: Bool, _ context: ChannelHandlerContext) {
        guard isPaused != wanted, context.channel.isActive else { return }
        isPaused = wanted
        try? context.channel.syncOptions?.setOption(.autoRead, value: !wanted)
    }

    private func schedule(_ context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.interval) { [self] in
            if isPaused {
                schedule(context)
                pause(false, context)
            } else {
                timer = nil
                logger.notice("The control socket accepts connections again.")
            }
        }
    }
}
