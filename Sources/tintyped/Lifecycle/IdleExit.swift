// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import ServiceLifecycle
internal import TintypeModel
internal import TintypeSystem

/// Ends a daemon that systemd's socket has started once nothing has needed it for a while: the next client starts it again.
struct IdleExit: Service {
    static let limits: ClosedRange<Duration> = .seconds(1)...(.seconds(7 * 86400))

    let clock: any MonotonicClock
    let limit: Duration
    let logger: Logger
    /// The connections that are open, and how many there have been.
    let connections: @Sendable () -> (open: Int, total: UInt64)
    /// Whether cameras need it now.
    let isNeeded: @Sendable () -> Bool
    /// Takes further clients or none: then those that come wait in the queue of the socket, for the next daemon.
    let takeClients: @Sendable (Bool) async -> Void
    let stop: @Sendable () -> Void

    /// For how long the others wait while one that came in the last moment is served.
    private static var patience: Int { 20 }
    private static var pause: Duration { .milliseconds(50) }

    /// Whether no client is left, and none is taken any more.
    ///
    /// One that has just come is served as usual; if it stays, or a camera that it has started does, so does the daemon.
    private func canEnd() async -> Bool {
        await takeClients(false)
        for _ in 0..<Self.patience {
            if connections().open == 0 {
                guard isNeeded() else { return true }
                break
            }
            guard (try? await clock.sleep(for: Self.pause)) != nil else { return false }
        }
        await takeClients(true)
        return false
    }

    func run() async {
        await cancelWhenGracefulShutdown {
            var (need, total) = (clock.sinceBoot, UInt64(0))
            // The clock stands still while the machine is suspended, which counts.
            while (try? await clock.sleep(for: min(limit / 10, .seconds(1)))) != nil {
                let connections = connections()
                if connections.open > 0 || connections.total != total || isNeeded() { need = clock.sinceBoot }
                total = connections.total
                guard clock.sinceBoot - need >= limit else { continue }
                logger.notice(
                    "nothing has needed the daemon for \(SpokenDuration.text(limit)): it ends until the next client comes"
                )
                if await canEnd() { return stop() }
                need = clock.sinceBoot
            }
        }
        // The group takes a second service that ends, beside the one that waits for the signal, for a failure, and cancels all
        // others: cameras would not be closed.
        try? await gracefulShutdown()
    }
}
