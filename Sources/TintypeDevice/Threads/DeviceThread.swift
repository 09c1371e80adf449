// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import Synchronization
package import TintypeModel
internal import TintypeThreads

/// The one thread that makes all calls of one camera: executor of its session, and waiting for its descriptor.
///
/// It sleeps in poll(2) until the descriptor is ready, a deadline passes, it is woken, or a job of the actor comes.
package final class DeviceThread: SerialExecutor {
    /// Why the thread woke.
    package enum Wake: Sendable {
        /// The watched descriptor has these poll(2) events.
        case ready(Int16)
        /// The deadline has passed; it is no longer set.
        case deadline
        /// ``DeviceThread/wake()`` was called.
        case woken
    }

    /// A structure, since a closure on its own would get a new box each time that it is read out of the lock.
    private struct Handler: Sendable {
        let handle: @Sendable (Wake) -> Void
    }

    private struct State {
        var jobs: [UnownedJob] = []
        var handler: Handler?
        var watched: CInt = -1
        var deadline: MonotonicTime?
        var isWoken = false
        var isStopping = false
        var thread: pthread_t?
    }

    private let state = Mutex(State())
    private let wakeup: CInt

    /// Starts a thread with this name (at most 15 bytes are shown).
    package init(name: String) {
        wakeup = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))
        precondition(wakeup >= 0, "eventfd: error \(errno); raise the limit of open files (LimitNOFILE=, ulimit -n)")
        NamedThread.start(name: name) { self.loop() }
    }

    deinit { close(wakeup) }

    // MARK: - For the actor

    /// Calls `handler` on this thread at every wake.
    package func setHandler(_ handler: @escaping @Sendable (Wake) -> Void) {
        state.withLock { $0.handler = Handler(handle: handler) }
    }

    /// Waits for frames (POLLIN) and events (POLLPRI) of `descriptor` from now on; -1 for none.
    ///
    /// For a camera only between STREAMON and STREAMOFF: earlier, poll(2) would start the kernel's read() emulation.
    package func watch(_ descriptor: CInt) { state.withLock { $0.watched = descriptor } }

    /// Wakes with ``Wake/deadline`` at this moment; nil for never.
    ///
    /// A new deadline replaces the old one.
    package func setDeadline(_ deadline: MonotonicTime?) { state.withLock { $0.deadline = deadline } }

    // MARK: - For everybody

    /// Wakes the thread with ``Wake/woken``; several calls may be answered by one wake.
    ///
    /// Any thread; never blocks.
    package func wake() {
        state.withLock { $0.isWoken = true }
        eventfd_write(wakeup, 1)
    }

    /// Ends the thread once it has nothing more to run.
    ///
    /// Never waits for it: it may be stuck in a driver.
    package func stop() {
        state.withLock { $0.isStopping = true }
        eventfd_write(wakeup, 1)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        eventfd_write(wakeup, 1)
    }

    package func checkIsolated() { precondition(isCurrent, "not on the device thread") }
    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    private var isCurrent: Bool {
        state.withLock { state in state.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    // MARK: - The thread

    private func loop() {
        state.withLock { $0.thread = pthread_self() }
        while true {
            let (jobs, isWoken, handler, isStopping) = state.withLock { state in
                defer { state.isWoken = false }
                // The usual wake, a frame, finds no job and allocates nothing.
                guard !state.jobs.isEmpty else {
                    return ([] as [UnownedJob], state.isWoken, state.handler, state.isStopping)
                }
                defer { state.jobs = [] }
                return (state.jobs, state.isWoken, state.handler, state.isStopping)
            }
            for job in jobs { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
            if isWoken { handler?.handle(.woken) }
            if isWoken || !jobs.isEmpty { continue }
            if isStopping { break }
            wait(handler)
        }
        // The handler may hold the session, which holds this thread.
        state.withLock { $0.handler = nil }
    }

    private func wait(_ handler: Handler?) {
        let (watched, deadline) = state.withLock { ($0.watched, $0.deadline) }
        var polls: InlineArray<2, pollfd> = [
            pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0),
            pollfd(fd: watched, events: Int16(POLLIN | POLLPRI), revents: 0),
        ]
        let timeout = deadline.map { Self.milliseconds(until: $0) } ?? -1
        var span = polls.mutableSpan
        let ready = unsafe span.withUnsafeMutableBufferPointer {
            unsafe poll($0.baseAddress, nfds_t($0.count), timeout)
        }
        if ready > 0, polls[0].revents != 0 {
            var count: eventfd_t = 0
            unsafe eventfd_read(wakeup, &count)
        }
        if ready > 0, polls[1].revents != 0 { handler?.handle(.ready(polls[1].revents)) }
        guard let deadline, MonotonicTime.now() >= deadline else { return }
        let isDue = state.withLock { state in
            guard state.deadline == deadline else { return false }
            state.deadline = nil
            return true
        }
        if isDue { handler?.handle(.deadline) }
    }

    /// Rounded up, so that the thread does not spin through the last millisecond.
    private static func milliseconds(until deadline: MonotonicTime) -> CInt {
        let left = (deadline - .now()).nanosecondCount
        return CInt(min(max(0, (left + 999_999) / 1_000_000), 3_600_000))
    }
}
