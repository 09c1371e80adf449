// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
internal import NIOHTTP1
internal import TintypeModel
internal import TintypeSystem

/// Answers a connection over the limits with a problem document and closes it.
///
/// Replies after the client's first bytes or a timeout. Follows a response encoder, on the connection's event loop.
final class RefusalHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = HTTPServerResponsePart

    private let problem: Problem
    private let wait: TimeAmount
    private let clock: any MonotonicClock
    private var timer: Scheduled<Void>?
    private var isAnswered = false

    /// Replies after `wait` at the latest; `clock` provides the Date.
    init(_ problem: Problem, within wait: TimeAmount, by clock: any MonotonicClock) {
        (self.problem, self.wait, self.clock) = (problem, wait, clock)
    }

    func channelActive(context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: wait) { [self] in answer(context) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { answer(context) }

    func channelInactive(context: ChannelHandlerContext) { timer?.cancel() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func answer(_ context: ChannelHandlerContext) {
        guard !isAnswered else { return }
        isAnswered = true
        for part in problem.parts(by: clock) { context.write(wrapOutboundOut(part), promise: nil) }
        context.flush()
        context.close(promise: nil)
    }
}
