// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import ServiceLifecycle
internal import TintypeModel
internal import TintypeSpool

/// Looks after one spool in the background: compares folder and catalog after each opening, and applies retention every
/// minute.
struct MaintenanceService<C: Clock<Duration>>: Service {
    /// The time from one pass of retention to the next.
    static var pause: Duration { .seconds(60) }

    private let clock: C
    private let logger: Logger
    private let keep: @Sendable () async throws(Problem) -> Void

    /// A service for `spool`.
    ///
    /// `clock` neither jumps nor runs while the machine is suspended.
    init(_ spool: Spool, clock: C, logger: Logger) {
        self.init(clock: clock, logger: logger) { () throws(Problem) in try await spool.keep() }
    }

    /// A service that does `keep` at once and then every minute.
    init(clock: C, logger: Logger, keep: @escaping @Sendable () async throws(Problem) -> Void) {
        self.clock = clock
        self.logger = logger
        self.keep = keep
    }

    /// Goes on until graceful shutdown or cancellation, which also end what is being done.
    func run() async { await cancelWhenGracefulShutdown { await look() } }

    private func look() async {
        var failure: Problem?
        while !Task.isCancelled {
            do throws(Problem) {
                try await keep()
                if failure != nil { logger.notice("The maintenance of the spool works again") }
                failure = nil
            } catch {
                guard !Task.isCancelled else { return }
                // A failure that stays for the same reason is logged once.
                if failure?.detail != error.detail { logger.error("\(error)") }
                failure = error
            }
            do {
                try await clock.sleep(for: Self.pause)
            } catch {
                return
            }
        }
    }
}
