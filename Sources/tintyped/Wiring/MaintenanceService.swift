// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import ServiceLifecycle
internal import TintypeModel
internal import TintypeSystem

/// Background maintenance of one spool: compares folder and catalog after each opening, and applies retention every
/// minute.
struct MaintenanceService: Service {
    static let pause = Duration.seconds(60)

    /// A steady clock that stops during suspend.
    let clock: any MonotonicClock
    let logger: Logger
    let keep: @Sendable () async throws(Problem) -> Void

    /// Runs until graceful shutdown or cancellation, which also cancel work in progress.
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
                // A repeated failure for the same reason is logged once.
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
