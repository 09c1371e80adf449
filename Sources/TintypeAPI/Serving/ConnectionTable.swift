// SPDX-License-Identifier: Apache-2.0
internal import CoreMetrics
internal import Logging
internal import NIOCore
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// The open connections: bounded in number, whole and for each peer, and kept to be ended at a stop.
///
/// Any thread may call it; nothing blocks.
final class ConnectionTable: Sendable {
    /// Connections that are refused and wait for their reply at most; further ones get it at once.
    ///
    /// Some clients do not read a reply that comes before they have sent their request.
    private var mostRefused: Int { min(64, limits.connections / 8) }

    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        /// Those that are served, by ``Peer/description``: a process can start others, but not change its user.
        var counts: [String: Int] = [:]
        var served = 0
        /// How many have been served.
        var total: UInt64 = 0
        /// Whether one was refused since no more than half of one peer's were served.
        var hasWarned = false
        var isQuiescing = false
    }

    private let limits: ServerLimits
    private let clock: any MonotonicClock
    private let logger: Logger
    private let state = Mutex(State())
    private let served = Meter(label: MetricName.connections.rawValue)
    private let refused = Counter(label: MetricName.refusedConnections.rawValue)

    /// A table without connections; refusals are dated by `clock`.
    init(limits: ServerLimits, clock: any MonotonicClock, logger: Logger) {
        self.limits = limits
        self.clock = clock
        self.logger = logger
    }

    /// Keeps `channel` until it closes; closes it at once if the server is stopping.
    ///
    /// Returns the handler that refuses a connection over the limits; nil where it may be served.
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

    /// The connections that are open, and how many have been served since the start.
    var count: (open: Int, total: UInt64) { state.withLock { ($0.channels.count, $0.total) } }

    private func refusal(of holder: String, _ state: State) -> Problem? {
        let count = state.counts[holder, default: 0]
        if count >= limits.connectionsOfOnePeer { return .tooManyConnections("The client with \(holder)", count) }
        return state.served >= limits.connections ? .tooManyConnections("The daemon", state.served) : nil
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

    /// Lets every connection end after the request that it is at; those at none end now.
    func quiesce() {
        for channel in takeNoMore() { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
    }

    /// Answers every request that has no reply yet, and ends its connection; done, on `loop`, once each event loop has come to it.
    func leave(on loop: any EventLoop) -> EventLoopFuture<Void> {
        let answered = takeNoMore().map { channel in
            channel.eventLoop.submit { channel.pipeline.fireUserInboundEventTriggered(HTTPRulesHandler.Leave()) }
        }
        return .andAllComplete(answered, on: loop)
    }

    func close() {
        for channel in takeNoMore() { channel.close(promise: nil) }
    }

    private func takeNoMore() -> [any Channel] {
        state.withLock { state in
            state.isQuiescing = true
            return Array(state.channels.values)
        }
    }
}

extension Problem {
    fileprivate static func tooManyConnections(_ holder: String, _ count: Int) -> Problem {
        Problem(
            .tooManyRequests,
            "\(holder) has \(count) connections already, which is the limit.",
            remedy: "Close connections that are idle, or send requests one after the other on one.",
            retryAfter: .seconds(1)
        )
    }
}
