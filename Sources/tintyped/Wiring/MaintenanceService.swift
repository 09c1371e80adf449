// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import ServiceLifecycle
internal import TintypeModel
internal import TintypeSystem

/// Looks after one spool in the background: compares folder and catalog after each opening, and applies retention every
/// minute.
struct MaintenanceService: Service {
    /// The time from one pass of retention to the next.
    static let pause = Duration.seconds(60)

    /// Neither jumps nor runs while the machine is suspended.
    let clock: any MonotonicClock
    let logger: Logger
    let keep: @Sendable () async throws(Problem) -> Void

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
