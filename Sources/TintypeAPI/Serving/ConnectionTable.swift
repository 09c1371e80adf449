// SPDX-License-Identifier: Apache-2.0
internal import CoreMetrics
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// Open connections, limited in total and per peer, and closed on shutdown; any thread, never blocks.
final class ConnectionTable: Sendable {
    /// Refused connections whose reply may wait for their request, as some clients need; others get it at once.
    private var mostRefused: Int { min(64, limits.connections / 8) }

    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        /// Served connections by ``Peer/description``, so per user: a process can start others but not change its user.
        var counts: [String: Int] = [:]
        var served = 0
        var total: UInt64 = 0
        /// True if a refusal was logged, until the served connections drop to half the limit for one peer.
        var hasWarned = false
        var isQuiescing = false
    }

    private let limits: ServerLimits
    private let clock: any MonotonicClock
    private let logger: Logger
    private let state = Mutex(State())
    private let served = Meter(label: MetricName.connections.rawValue)
    private let refused = Counter(label: MetricName.refusedConnections.rawValue)

    init(limits: ServerLimits, clock: any MonotonicClock, logger: Logger) {
        (self.limits, self.clock, self.logger) = (limits, clock, logger)
    }

    /// Registers `channel` until it closes, or closes it if the server is stopping; returns the handler that refuses a
    /// connection over the limits.
    func add(_ channel: any Channel, of peer: Peer) -> RefusalHandler? {
        let holder = "\(peer)"
        let key = ObjectIdentifier(channel)
        let outcome = state.withLock { state -> (refusal: Problem?, waits: Bool, isFirst: Bool)? in
            guard !state.isQuiescing else { return nil }
            let refusal = self.refusal(of: holder, state)
            let waits = state.channels.count - state.served < mostRefused
            state.channels[key] = channel
            guard refusal == nil else {
                defer { state.hasWarned = true }
                return (refusal, waits, !state.hasWarned)
            }
            state.counts[holder, default: 0] += 1
            state.served += 1
            state.total += 1
            served.set(state.served)
            return (nil, false, false)
        }
        guard let (refusal, waits, isFirst) = outcome else {
            channel.close(promise: nil)
            return nil
        }
        let isServed = refusal == nil
        channel.closeFuture.whenComplete { [self] _ in remove(key, of: holder, wasServed: isServed) }
        guard let refusal else { return nil }
        refused.increment()
        if isFirst { logger.warning("A connection was refused: \(refusal.detail)") }
        return RefusalHandler(refusal, within: waits ? .seconds(1) : .zero, by: clock)
    }

    var count: (open: Int, total: UInt64) { state.withLock { ($0.channels.count, $0.total) } }

    private func refusal(of holder: String, _ state: State) -> Problem? {
        let count = state.counts[holder, default: 0]
        let isPeerFull = count >= limits.connectionsOfOnePeer
        guard isPeerFull || state.served >= limits.connections else { return nil }
        let held = isPeerFull ? "The client with \(holder) has \(count)" : "The daemon has \(state.served)"
        return Problem(
            .tooManyRequests,
            "\(held) connections already, which is the limit.",
            remedy: "Close connections that are idle, or send requests one after the other on one.",
            retryAfter: .seconds(1)
        )
    }

    private func remove(_ key: ObjectIdentifier, of holder: String, wasServed: Bool) {
        state.withLock { state in
            guard state.channels.removeValue(forKey: key) != nil, wasServed else { return }
            let left = state.counts[holder, default: 1] - 1
            state.counts[holder] = left == 0 ? nil : left
            state.served -= 1
            served.set(state.served)
            if state.served <= limits.connectionsOfOnePeer / 2 { state.hasWarned = false }
        }
    }

    /// Closes idle connections now, and the others after their current request.
    func quiesce() {
        for channel in stopAccepting() { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
    }

    /// Answers every pending request and closes its connection; completes once each event loop has done so.
    func answerPending(on loop: any EventLoop) -> EventLoopFuture<Void> {
        let answered = stopAccepting().map { channel in
            channel.eventLoop.submit { channel.pipeline.fireUserInboundEventTriggered(HTTPRulesHandler.Shutdown()) }
        }
        return .andAllComplete(answered, on: loop)
    }

    func close() {
        for channel in stopAccepting() { channel.close(promise: nil) }
    }

    private func stopAccepting() -> [any Channel] {
        state.withLock { state in
            state.isQuiescing = true
            return Array(state.channels.values)
        }
    }
}

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
