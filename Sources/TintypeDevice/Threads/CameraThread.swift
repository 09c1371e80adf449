// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import Synchronization
package import TintypeModel
package import TintypeSystem

/// An object confined to a camera's thread: created, used and released there.
package protocol ThreadOwned: AnyObject, SendableMetatype {
    /// Descriptor for poll(2); -1 for none.
    var descriptor: CInt { get }
    /// Frames (POLLIN) and events (POLLPRI).
    ///
    /// POLLIN only between STREAMON and STREAMOFF; otherwise poll(2) would start the kernel's read() emulation.
    var awaited: Int16 { get }
    /// Time of the next turn if nothing else happens; nil for never.
    var deadline: MonotonicTime? { get }
    /// Called with the descriptor's poll(2) events, or 0 if the thread was woken, ran work, or the deadline has passed.
    ///
    /// The thread has been waiting in poll(2) since `asleep` and would have noticed a frame.
    func turn(_ events: Int16, asleepSince asleep: MonotonicTime)
}

/// The thread that makes all driver calls of one camera, and owns the objects they are made on; sleeps in poll(2).
package final class CameraThread<Owned: ThreadOwned>: Sendable {
    private struct State {
        var work: [@Sendable (Owned) -> Void] = []
        var isStarted = false
        var isStopping = false
    }

    private let state = Mutex(State())
    private let name: String
    private let wakeup: ThreadWakeup
    private let clock: any MonotonicClock
    private let owned: @Sendable () -> Owned

    /// At most 15 bytes of `name` are shown.
    package init(
        name: String,
        wakeup: ThreadWakeup = ThreadWakeup(),
        clock: any MonotonicClock = .system,
        owned: @escaping @Sendable () -> Owned
    ) {
        (self.name, self.wakeup, self.clock, self.owned) = (name, wakeup, clock, owned)
    }

    /// Starts the thread unless it has started or was stopped.
    ///
    /// A camera that was never opened needs no thread. Throws if the system refuses the thread or its descriptors; a
    /// later call tries again.
    package func start() throws(ResourceError) {
        try state.withLock { (state) throws(ResourceError) in
            guard !state.isStarted, !state.isStopping else { return }
            try wakeup.open()
            let timer = try clock.timer()
            try NamedThread.start(name: name) { self.loop(self.owned(), timer) }
            state.isStarted = true
        }
    }

    /// Runs `body` on the thread in FIFO order; nil without running it if the thread is not started or is stopped.
    ///
    /// Any thread. Suspends until then, forever if a driver call never returns.
    package func run<R: Sendable>(_ body: @escaping @Sendable (Owned) -> R) async -> R? {
        await withCheckedContinuation { continuation in
            let isEnqueued = enqueue { owned in continuation.resume(returning: body(owned)) }
            if !isEnqueued { continuation.resume(returning: nil) }
        }
    }

    private func enqueue(_ body: @escaping @Sendable (Owned) -> Void) -> Bool {
        let isEnqueued = state.withLock { state in
            guard state.isStarted, !state.isStopping else { return false }
            state.work.append(body)
            return true
        }
        if isEnqueued { wakeup.wake() }
        return isEnqueued
    }

    /// Requests a call of ``ThreadOwned/turn(_:asleepSince:)``; several requests may be merged into one turn.
    ///
    /// Any thread; never blocks.
    package func wake() { wakeup.wake() }

    /// Ends the thread once its queue is empty; does not wait, as it may be stuck in a driver.
    package func stop() {
        state.withLock { $0.isStopping = true }
        wakeup.wake()
    }

    /// Heartbeat of the thread, excused while stuck in one of `calls` for more than 100 ms.
    package func heartbeat(_ name: String, _ calls: DriverCalls) -> Heartbeat {
        let isExcused: @Sendable () -> Bool = { calls.stuck(longerThan: .milliseconds(100)) != nil }
        return Heartbeat(name, of: self, isExcused: isExcused) { answer in
            // A thread that does not run need not make progress.
            if !self.enqueue({ _ in answer() }) { answer() }
        }
    }

    private func loop(_ owned: Owned, _ timer: any ThreadTimer) {
        var alarm = Alarm(timer: timer)
        var isWoken = false
        var asleep: MonotonicTime?
        while true {
            isWoken = wakeup.clearFlag() || isWoken
            // Submitting work wakes the thread, so the queue is not checked after an ordinary frame.
            if isWoken {
                let (work, isStopping) = state.withLock { state in
                    defer { state.work = [] }
                    return (state.work, state.isStopping)
                }
                for body in work { body(owned) }
                guard work.isEmpty else {
                    asleep = nil
                    continue
                }
                if isStopping { break }
            }
            wait(owned, &alarm, isWoken: isWoken, since: &asleep)
            isWoken = false
        }
    }

    /// Waits and gives the owned object a turn if one is due; `asleep` is nil after anything else than waiting.
    private func wait(_ owned: Owned, _ alarm: inout Alarm, isWoken: Bool, since asleep: inout MonotonicTime?) {
        let deadline = owned.deadline
        alarm.set(deadline)
        var polls: InlineArray<3, pollfd> = [
            pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: owned.descriptor, events: owned.awaited, revents: 0),
            pollfd(fd: alarm.timer.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        var span = polls.mutableSpan
        let since = asleep ?? clock.now
        asleep = since
        let ready = unsafe span.withUnsafeMutableBufferPointer {
            unsafe poll($0.baseAddress, nfds_t($0.count), isWoken ? 0 : -1)
        }
        if ready > 0, polls[0].revents != 0 { wakeup.drain() }
        if ready > 0, polls[2].revents != 0 { alarm.ring() }
        let events = ready > 0 ? polls[1].revents : 0
        guard events != 0 || isWoken || deadline.map({ clock.now >= $0 }) ?? false else { return }
        asleep = nil
        owned.turn(events, asleepSince: since)
    }

    /// Deadlines mostly move later: checking them when the timer fires saves a system call per frame.
    private struct Alarm {
        let timer: any ThreadTimer
        var moment: MonotonicTime?

        mutating func set(_ deadline: MonotonicTime?) {
            guard let deadline, moment.map({ deadline < $0 }) ?? true else { return }
            timer.set(deadline, every: .zero)
            moment = deadline
        }

        mutating func ring() {
            _ = timer.expirations()
            moment = nil
        }
    }
}

/// Wakes a thread that sleeps in poll(2), by eventfd(2).
package final class ThreadWakeup: Sendable {
    private let number = Atomic<CInt>(-1)
    private let isWoken = Atomic(false)

    package init() {}

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Readable (POLLIN) after a wake; -1 before ``open()``.
    var descriptor: CInt { number.load(ordering: .acquiring) }

    /// Opens the descriptor, once, before the thread starts; wakes before that are kept.
    package func open() throws(ResourceError) {
        guard descriptor < 0 else { return }
        let opened = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))
        guard opened >= 0 else { throw ResourceError("eventfd", code: errno) }
        number.store(opened, ordering: .releasing)
    }

    /// Wakes the thread; several calls may be merged into one wake; any thread; never blocks.
    package func wake() {
        guard !isWoken.exchange(true, ordering: .acquiringAndReleasing), descriptor >= 0 else { return }
        eventfd_write(descriptor, 1)
    }

    /// True if woken since the last call; only on that thread, before it checks what it was woken for.
    func clearFlag() -> Bool { isWoken.exchange(false, ordering: .acquiringAndReleasing) }

    /// Only on that thread, when poll(2) reports the descriptor readable.
    ///
    /// ``wake()`` sets the flag before it writes, so no wake is lost.
    func drain() {
        var count: eventfd_t = 0
        unsafe eventfd_read(descriptor, &count)
    }
}
