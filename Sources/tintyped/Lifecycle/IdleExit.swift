// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import ServiceLifecycle
internal import TintypeModel
internal import TintypeSystem

/// Ends a socket-activated daemon that has been idle for a while; the next client starts it again.
struct IdleExit: Service {
    let clock: any MonotonicClock
    let limit: Duration
    let logger: Logger
    /// Numbers of open connections, and of all since the start.
    let connections: @Sendable () -> (open: Int, total: UInt64)
    /// True while cameras, hooks or a running verification need the daemon.
    let isNeeded: @Sendable () -> Bool
    /// Clients that are not accepted wait in the socket's queue for the next daemon.
    let takeClients: @Sendable (Bool) async -> Void
    let stop: @Sendable () -> Void

    /// Stops accepting clients; true if none is left, else accepts them again.
    private func canEnd() async -> Bool {
        await takeClients(false)
        if connections().open == 0, !isNeeded() { return true }
        await takeClients(true)
        return false
    }

    func run() async {
        await cancelWhenGracefulShutdown {
            var (need, total) = (clock.sinceBoot, UInt64(0))
            // The clock stops during suspend, but suspended time counts as idle.
            while (try? await clock.sleep(for: min(limit / 10, .seconds(1)))) != nil {
                let connections = connections()
                if connections.open > 0 || connections.total != total || isNeeded() { need = clock.sinceBoot }
                total = connections.total
                guard clock.sinceBoot - need >= limit else { continue }
                let time = SpokenDuration.text(limit)
                logger.notice("nothing has needed the daemon for \(time): it ends until the next client comes")
                if await canEnd() { return stop() }
                need = clock.sinceBoot
            }
        }
        // A return here would be a failure of the group, which would cancel all others without closing the cameras.
        try? await gracefulShutdown()
    }
}
