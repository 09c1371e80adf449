// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Glibc
internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// Sees to it that the process leaves when it is told to.
///
/// The first SIGTERM or SIGINT asks for a clean stop; if that has not ended the process after ``limit``, a thread of
/// its own does, also where all others hang. The second one ends it at once. Threads in a driver call are never joined: the process
/// always leaves by _exit(2).
final class ExitGuard: Sendable {
    /// The time that a clean stop may take: 900 ms, so that the process is gone within a second.
    static let limit = Duration.milliseconds(900)
    /// A second signal within this time of the first is taken for the same: timeout(1), for one, sends one signal to the process
    /// and another to its group, in the same moment.
    static let doubling = Duration.milliseconds(200)
    /// The time that the last log lines are given where the process leaves in haste: 50 ms, since it is to be gone within a
    /// second of the signal.
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
    // A queue of its own, so that signals arrive also while every thread of the cooperative pool is busy.
    private let queue = DispatchQueue(label: "tintyped.signals")
    private let sources = Mutex<[any DispatchSourceSignal]>([])

    /// A guard that has not been armed.
    ///
    /// A second signal within ``doubling``, by `clock`, is taken for the first one. ``limit`` is by the machine's clock, for no
    /// other part of the process is to be needed for it. `flush` has the last log lines written before the
    /// process leaves; it may block for as long as it is told.
    init(
        clock: any MonotonicClock,
        logger: Logger,
        limit: Duration = ExitGuard.limit,
        flush: @escaping @Sendable (_ limit: Duration) -> Void = { _ in }
    ) {
        self.clock = clock
        self.logger = logger
        self.limit = limit
        self.flush = flush
    }

    /// Takes over SIGTERM, SIGINT and SIGHUP, and ignores SIGPIPE: a peer that has gone is an error of its write.
    ///
    /// Returns once signals are seen. They stay taken over until the process ends.
    func arm() async {
        signal(SIGPIPE, SIG_IGN)
        for number in [SIGTERM, SIGINT] {
            await watch(number) { [self] in received(number) }
        }
        await watch(SIGHUP) { [reloads] in reloads.continuation.yield() }
    }

    /// An element whenever SIGHUP has asked for the configuration to be read again; for one task.
    var reloadRequests: AsyncStream<Void> { reloads.stream }

    private func watch(_ number: CInt, _ handler: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { (isRegistered: CheckedContinuation<Void, Never>) in
            sources.withLock { sources in
                let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
                source.setEventHandler {
                    // A source without a reference is cancelled; this one holds itself until the process ends.
                    withExtendedLifetime(source) { handler() }
                }
                source.setRegistrationHandler { isRegistered.resume() }
                source.resume()
                // A source without a reference is cancelled, and its signal then lost.
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

    /// Asks for a clean stop and starts the clock for it; false if that has been asked for already.
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

    /// Whether a second signal asks for haste.
    private var isRepeatMeant: Bool {
        state.withLock { state in
            state.stopRequest.map { clock.now - $0 > Self.doubling } ?? false
        }
    }

    /// Returns once a stop is asked for, or at graceful shutdown; for one task.
    func waitForStop() async {
        for await _ in requests.stream.cancelOnGracefulShutdown() { return }
    }

    /// Notes that `part` must end before a stop is clean; the warning about an unclean stop names it.
    func begin(_ part: String) { state.withLock { $0.unfinished.append(part) } }

    func end(_ part: String) {
        state.withLock { state in
            guard let index = state.unfinished.firstIndex(of: part) else { return }
            state.unfinished.remove(at: index)
        }
    }

    /// Ends the process without waiting for any thread, but for the log's, and for that no longer than `limit`.
    ///
    /// A busy machine may take its time to write why the daemon leaves; where a stop was asked for, ``limit`` ends that, too.
    /// The C function is `_exit`.
    func leave(status: Int32, within limit: Duration = .seconds(10)) -> Never {
        flush(limit)
        _exit(status)
    }

    private func leaveAtTheLatest() {
        // Nothing signals it: this thread waits all of the time, also while signals come.
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .nanoseconds(Int(limit.nanosecondCount)))
        let parts = state.withLock(\.unfinished)
        logger.warning(
            "leaving without a clean stop",
            metadata: ["unfinished": "\(parts.isEmpty ? "nothing known" : parts.joined(separator: ", "))"]
        )
        leave(status: 0, within: Self.haste)
    }
}
