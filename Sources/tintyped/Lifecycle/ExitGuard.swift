// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Glibc
internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// Ensures that the process exits when asked to.
///
/// The first SIGTERM or SIGINT requests a clean stop. If the process has not ended after ``limit``, a separate thread
/// ends it, even if all others hang. A second signal ends it at once. Threads in a driver call are never joined: the
/// process always exits with _exit(2).
final class ExitGuard: Sendable {
    /// 900 ms, so that the process exits within a second.
    static let limit = Duration.milliseconds(900)
    /// Values of `--stop-limit`.
    static let limits = Duration.milliseconds(100)...Duration.seconds(600)
    /// A second signal within this time counts as the same: timeout(1) signals the process and its group at once.
    static let doubling = Duration.milliseconds(200)
    /// For the last log lines in an unclean exit, within a second of the signal.
    static let haste = Duration.milliseconds(50)

    private struct State {
        var stopRequest: MonotonicTime?
        var unfinished: [String] = []
    }

    private let logger: Logger
    private let clock: any MonotonicClock
    private let limit: Duration
    private let flush: @Sendable (_ limit: Duration) -> Void
    private let state = Mutex(State())
    private let requests = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let reloads = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    // A separate queue, so that signals are handled even if all threads of the cooperative pool are busy.
    private let queue = DispatchQueue(label: "tintyped.signals")
    private let sources = Mutex<[any DispatchSourceSignal]>([])

    /// Not yet armed.
    ///
    /// ``doubling`` is measured by `clock`, ``limit`` by the system clock, so that it depends on no other part of the
    /// process. `flush` writes the last log lines before the exit; it may block for the given limit.
    init(
        clock: any MonotonicClock,
        logger: Logger,
        limit: Duration = ExitGuard.limit,
        flush: @escaping @Sendable (_ limit: Duration) -> Void = { _ in }
    ) {
        (self.clock, self.logger, self.limit, self.flush) = (clock, logger, limit, flush)
    }

    /// Handles SIGTERM, SIGINT and SIGHUP until the process ends, and ignores SIGPIPE; returns once they are handled.
    func arm() async {
        signal(SIGPIPE, SIG_IGN)
        for number in [SIGTERM, SIGINT] { await watch(number) { [self] in received(number) } }
        await watch(SIGHUP) { [reloads] in reloads.continuation.yield() }
    }

    /// For SIGHUP, which requests a reload; for a single consumer.
    var reloadRequests: AsyncStream<Void> { reloads.stream }

    private func watch(_ number: CInt, _ handler: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { (isRegistered: CheckedContinuation<Void, Never>) in
            sources.withLock { sources in
                let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
                source.setEventHandler {
                    withExtendedLifetime(source) { handler() }
                }
                source.setRegistrationHandler { isRegistered.resume() }
                source.resume()
                // Without a reference the source is cancelled, and its signal lost.
                sources.append(source)
            }
        }
    }

    private func received(_ number: CInt) {
        let name = number == SIGINT ? "SIGINT" : "SIGTERM"
        guard requestStop(because: name) else {
            guard isRepeatMeant else { return }
            logger.warning("\(name) again: leaving at once.")
            leave(status: 128 + number, within: Self.haste)
        }
    }

    /// Starts the time limit; false if already requested.
    @discardableResult
    func requestStop(because reason: String) -> Bool {
        let isFirst = state.withLock { state in
            guard state.stopRequest == nil else { return false }
            state.stopRequest = clock.now
            return true
        }
        guard isFirst else { return false }
        logger.notice("stopping", metadata: ["reason": "\(reason)"])
        NamedThread.start(name: "exit-guard") { [self] in leaveAtTheLatest() }
        requests.continuation.yield()
        requests.continuation.finish()
        return true
    }

    var isStopping: Bool { state.withLock { $0.stopRequest != nil } }

    /// A second signal is deliberate.
    private var isRepeatMeant: Bool {
        state.withLock { state in state.stopRequest.map { clock.now - $0 > Self.doubling } ?? false }
    }

    /// Or at graceful shutdown; for a single task.
    func waitForStop() async {
        for await _ in requests.stream.cancelOnGracefulShutdown() { return }
    }

    /// The warning about an unclean stop names parts that are still running.
    func beginPart(_ part: String) { state.withLock { $0.unfinished.append(part) } }

    func endPart(_ part: String) {
        state.withLock { state in
            guard let index = state.unfinished.firstIndex(of: part) else { return }
            state.unfinished.remove(at: index)
        }
    }

    /// Ends the process with _exit(2), after waiting up to `limit` for the log only, which may take long.
    func leave(status: Int32, within limit: Duration = .seconds(10)) -> Never {
        flush(limit)
        _exit(status)
    }

    private func leaveAtTheLatest() {
        // Never signalled: the thread waits for the full time, regardless of signals.
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .nanoseconds(Int(limit.nanosecondCount)))
        let parts = state.withLock(\.unfinished).joined(separator: ", ")
        let unfinished = parts.isEmpty ? "nothing known" : parts
        logger.warning("leaving without a clean stop", metadata: ["unfinished": "\(unfinished)"])
        leave(status: 0, within: Self.haste)
    }
}
