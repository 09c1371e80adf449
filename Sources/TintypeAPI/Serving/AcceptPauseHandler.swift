// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import NIOCore

/// Pauses accepting for ``interval`` after accept(2) fails without descriptors (EMFILE, ENFILE) or memory.
///
/// SwiftNIO 2.101 would poll the listening socket, which stays readable, with a whole core; its `AcceptBackoffHandler`
/// does not help, because no read is requested. Logs a warning at the first failure, and a notice when it recovers.
/// Next to the listening socket, on its event loop; clients wait in the backlog.
final class AcceptPauseHandler: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias OutboundIn = Never

    /// Time between attempts of accept(2) while paused.
    static let interval = TimeAmount.seconds(1)

    private let logger: Logger
    private var isPaused = false
    /// Runs from the first failure until accept(2) has not failed for one ``interval``.
    private var timer: Scheduled<Void>?

    init(logger: Logger) { self.logger = logger }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Other errors close the socket, which ends the server.
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

    /// Disables autoRead while paused; otherwise the channel stays registered with epoll(7).
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
