// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import Synchronization
package import TintypeModel
package import TintypeSystem

/// What lives on a camera's thread: made there, called there alone, and let go of there.
package protocol ThreadOwned: AnyObject, SendableMetatype {
    /// What poll(2) waits on; -1 for nothing.
    var descriptor: CInt { get }
    /// What it waits for: frames (POLLIN) and events (POLLPRI).
    ///
    /// POLLIN only between STREAMON and STREAMOFF: earlier, poll(2) would start the kernel's read() emulation.
    var awaited: Int16 { get }
    /// When it wants its turn though nothing happens; nil for never.
    var deadline: MonotonicTime? { get }
    /// Its turn: the descriptor has these poll(2) events, or none of them and its thread was woken, had work to do, or its
    /// deadline has come.
    ///
    /// From `asleep` on it has waited in poll(2), and would have heard of a frame.
    func turn(_ events: Int16, asleepSince asleep: MonotonicTime)
}

/// The one thread that makes all calls of one camera, and owns what they are made on.
///
/// It sleeps in poll(2) until the descriptor is ready, a deadline passes, it is woken, or there is work. A call that hangs
/// in a driver hangs this thread and nothing else.
package final class CameraThread<Owned: ThreadOwned>: Sendable {
    private struct State {
        var work: [@Sendable (Owned) -> Void] = []
        var isStopping = false
    }

    private let state = Mutex(State())
    private let wakeup: ThreadWakeup
    private let clock: any MonotonicClock

    /// Starts a thread with this name (at most 15 bytes are shown), which makes what it owns.
    package init(
        name: String,
        wakeup: ThreadWakeup = ThreadWakeup(),
        clock: any MonotonicClock = .system,
        owned: @escaping @Sendable () -> Owned
    ) {
        self.wakeup = wakeup
        self.clock = clock
        NamedThread.start(name: name) { self.loop(owned()) }
    }

    /// Has `body` run on the thread, after all that was given to it before, and returns what comes of it.
    ///
    /// Any thread; suspends for as long as it takes, which is for ever if a driver never returns. The body never runs, and
    /// this returns nil, once the thread has been stopped.
    package func run<R: Sendable>(_ body: @escaping @Sendable (Owned) -> R) async -> R? {
        await withCheckedContinuation { continuation in
            let isTaken = take { owned in continuation.resume(returning: body(owned)) }
            if !isTaken { continuation.resume(returning: nil) }
        }
    }

    private func take(_ body: @escaping @Sendable (Owned) -> Void) -> Bool {
        let isTaken = state.withLock { state in
            guard !state.isStopping else { return false }
            state.work.append(body)
            return true
        }
        if isTaken { wakeup.wake() }
        return isTaken
    }

    /// Has ``ThreadOwned/turn(_:asleepSince:)`` called; several calls may be answered by one turn.
    ///
    /// Any thread; never blocks.
    package func wake() { wakeup.wake() }

    /// Ends the thread once it has nothing more to run.
    ///
    /// Never waits for it: it may be stuck in a driver.
    package func stop() {
        state.withLock { $0.isStopping = true }
        wakeup.wake()
    }

    /// The thread as a watchdog asks it; it need not answer from one of `calls`.
    package func heartbeat(_ name: String, _ calls: DriverCalls) -> Heartbeat {
        Heartbeat(
            name,
            of: self,
            isExcused: { calls.stuck(longerThan: Self.shortCall) != nil },
            ask: { answer in
                // One that has been stopped need not move any more.
                if !self.take({ _ in answer() }) { answer() }
            }
        )
    }

    /// Many calls that each take less do not keep a thread from its work for long: 100 ms.
    private static var shortCall: Duration { .milliseconds(100) }

    // MARK: - The thread

    private func loop(_ owned: Owned) {
        var alarm = Alarm(timer: clock.timer())
        var isWoken = false
        while true {
            isWoken = wakeup.take() || isWoken
            // Who brings work wakes it. After a frame, with which it is not woken, nothing is looked for.
            if isWoken {
                let (work, isStopping) = state.withLock { state in
                    defer { state.work = [] }
                    return (state.work, state.isStopping)
                }
                for body in work { body(owned) }
                guard work.isEmpty else { continue }
                if isStopping { break }
            }
            wait(owned, &alarm, isWoken: isWoken)
            isWoken = false
        }
    }

    private func wait(_ owned: Owned, _ alarm: inout Alarm, isWoken: Bool) {
        let deadline = owned.deadline
        alarm.set(deadline)
        var polls: InlineArray<3, pollfd> = [
            pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: owned.descriptor, events: owned.awaited, revents: 0),
            pollfd(fd: alarm.timer.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        var span = polls.mutableSpan
        let asleep = clock.now
        let ready = unsafe span.withUnsafeMutableBufferPointer {
            unsafe poll($0.baseAddress, nfds_t($0.count), isWoken ? 0 : -1)
        }
        if ready > 0, polls[0].revents != 0 { wakeup.drain() }
        if ready > 0, polls[2].revents != 0 { alarm.ring() }
        let events = ready > 0 ? polls[1].revents : 0
        if events != 0 || isWoken { return owned.turn(events, asleepSince: asleep) }
        guard let deadline, clock.now >= deadline else { return }
        owned.turn(0, asleepSince: asleep)
    }

    /// Ends the sleep at a deadline, or earlier: deadlines mostly move on, and one that has moved is looked at again when the
    /// timer rings for what it was, which saves a system call for each frame.
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
