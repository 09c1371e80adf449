// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import NIOCore

/// Says why connections cannot be accepted: the first time as a warning, then for debugging only.
///
/// accept(2) fails with EMFILE or ENFILE when descriptors run out, with ENOMEM or ENOBUFS when memory does. NIO keeps
/// the listening socket open then and tries again after a second (`AcceptBackoffHandler`, next in this pipeline, which
/// also keeps the error from the loop that takes connections); it does so without a word. Clients wait in the backlog
/// meanwhile.
final class AcceptErrorHandler: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private let logger: Logger
    private var hasWarned = false

    init(logger: Logger) { self.logger = logger }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        logger.log(
            level: hasWarned ? .debug : .warning,
            "accept(2) on the control socket: \(error). Clients wait; raise LimitNOFILE= if this stays."
        )
        hasWarned = true
        context.fireErrorCaught(error)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasWarned = false
        context.fireChannelRead(data)
    }
}
