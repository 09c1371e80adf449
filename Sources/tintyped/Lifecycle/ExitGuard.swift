// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// Ensures that the process exits when asked to.
///
/// The first SIGTERM or SIGINT requests a clean stop. If the process has not ended after ``limit``, the guard ends it.
/// A second signal ends it at once. The guard has one thread, from the start, that handles the signals and measures the
/// limit, so that it works even if all other threads hang or the system refuses new ones. Threads in a driver call are
/// never joined: the process always exits with _exit(2).
final class ExitGuard: Sendable {
    /// Time limit of a clean stop, so that the process exits within a second.
    static let limit = Duration.milliseconds(900)
    /// Values of `--stop-limit`.
    static let limits = Duration.milliseconds(100)...Duration.seconds(600)
    /// A second signal within this time counts as the same: timeout(1) signals the process and its group at once.
    static let doubling = Duration.milliseconds(200)
    /// Time for the last log lines of an unclean exit, which is within a second of the signal.
    static let haste = Duration.milliseconds(50)

    private struct State {
        var stopRequest: MonotonicTime?
        /// End of the time for a clean stop, by the system clock.
        var end: MonotonicTime?
        var part = "nothing known"
    }

    private let logger: Logger
    private let clock: any MonotonicClock
    private let limit: Duration
    private let stopsAtHangup: Bool
    private let flush: @Sendable (_ limit: Duration) -> Void
    private let state = Mutex(State())
    private let requests = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let reloads = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// A guard that is not yet armed.
    ///
    /// ``doubling`` is measured by `clock`, ``limit`` by the system clock, so that it depends on no other part of the
    /// process. SIGHUP requests a reload or, with `stopsAtHangup`, a stop. `flush` does the last work before the exit,
    /// such as writing log lines; it may block for the given limit.
    init(
        clock: any MonotonicClock,
        logger: Logger,
        limit: Duration = ExitGuard.limit,
        stopsAtHangup: Bool = false,
        flush: @escaping @Sendable (_ limit: Duration) -> Void = { _ in }
    ) {
        (self.clock, self.logger, self.limit) = (clock, logger, limit)
        (self.stopsAtHangup, self.flush) = (stopsAtHangup, flush)
    }

    /// Handles SIGTERM, SIGINT and SIGHUP until the process ends, and ignores SIGPIPE; call it once.
    func arm() throws(ResourceError) {
        signal(SIGPIPE, SIG_IGN)
        try SignalPipe.open(for: Self.signals)
        try NamedThread.start(name: "exit-guard") { [self] in watch() }
    }

    /// Yields an element for each SIGHUP, which requests a reload; for a single consumer.
    var reloadRequests: AsyncStream<Void> { reloads.stream }

    private static let signals = [SIGTERM, SIGINT, SIGHUP]

    private func watch() {
        SignalPipe.unblock(Self.signals)
        while true {
            let rest = state.withLock(\.end).map { $0 - MonotonicTime.now() }
            if let rest, rest <= .zero { leaveUncleanly() }
            switch SignalPipe.next(within: rest) {
            case SIGHUP where !stopsAtHangup: reloads.continuation.yield()
            case let number?: received(number)
            case nil: break
            }
        }
    }

    private func received(_ number: CInt) {
        let name = number == SIGINT ? "SIGINT" : number == SIGHUP ? "SIGHUP" : "SIGTERM"
        guard requestStop(because: name) else {
            // A second signal is deliberate.
            guard let first = state.withLock(\.stopRequest), clock.now - first > Self.doubling else { return }
            logger.warning("\(name) again: leaving at once.")
            leave(status: 128 + number, within: Self.haste)
        }
    }

    /// Starts the time limit; false if already requested.
    @discardableResult
    func requestStop(because reason: String) -> Bool {
        let isFirst = state.withLock { state in
            guard state.stopRequest == nil else { return false }
            (state.stopRequest, state.end) = (clock.now, MonotonicTime.now() + limit)
            return true
        }
        guard isFirst else { return false }
        logger.notice("stopping", metadata: ["reason": "\(reason)"])
        SignalPipe.wake()
        requests.continuation.yield()
        requests.continuation.finish()
        return true
    }

    var isStopping: Bool { state.withLock { $0.stopRequest != nil } }

    /// Or at graceful shutdown; for a single task.
    func waitForStop() async {
        for await _ in requests.stream.cancelOnGracefulShutdown() { return }
    }

    /// The warning about an unclean stop names the part that has not ended.
    func beginPart(_ part: String) { state.withLock { $0.part = part } }

    /// Ends the process with _exit(2), after waiting up to `limit` for the log only, which may take long.
    func leave(status: Int32, within limit: Duration = .seconds(10)) -> Never {
        flush(limit)
        _exit(status)
    }

    private func leaveUncleanly() -> Never {
        logger.warning("leaving without a clean stop", metadata: ["unfinished": "\(state.withLock(\.part))"])
        leave(status: 0, within: Self.haste)
    }
}
