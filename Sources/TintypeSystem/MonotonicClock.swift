// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
package import TintypeModel

/// Clock of cameras and sessions: ``SystemClock``, or in tests one that advances as soon as the process is idle.
package protocol MonotonicClock: Clock<Duration> where Instant == MonotonicTime {
    /// Wall-clock time, which unlike this clock may be stepped.
    var wall: Timestamp { get }
    /// Total time the machine has been suspended since boot; this clock stands still meanwhile.
    func suspended() -> Duration
    /// Calls `ring` at `moment` or as soon as possible after it, unless cancelled before; returns the alarm's number.
    ///
    /// Never blocks. `ring` runs on a shared thread and must not block.
    func setAlarm(_ moment: MonotonicTime, _ ring: @escaping @Sendable () -> Void) -> UInt64
    /// The handler may still run if it is due at this moment.
    func cancelAlarm(_ id: UInt64)
    func timer() throws(ResourceError) -> any ThreadTimer
}

/// Timer that wakes a thread sleeping in poll(2); for one thread at a time.
package protocol ThreadTimer: AnyObject, Sendable {
    /// Readable (POLLIN) from expiration until ``expirations()`` is called.
    var descriptor: CInt { get }
    /// Arms the timer for `moment`, then every `interval` if that is not zero; replaces the previous setting.
    func set(_ moment: MonotonicTime, every interval: Duration)
    func stop()
    /// Number since the last call, or since the timer was armed.
    func expirations() -> UInt64
}

extension MonotonicClock {
    /// By the current difference of the two clocks, also if the wall clock was stepped since `moment`.
    package func wall(at moment: MonotonicTime) -> Timestamp { wall - (now - moment) }
    /// Including suspends (`CLOCK_BOOTTIME`).
    package var sinceBoot: Duration { now - MonotonicTime(nanoseconds: 0) + suspended() }

    /// Throws `CancellationError` if cancelled.
    package func sleep(until deadline: MonotonicTime, tolerance: Duration?) async throws {
        if await Reply<Void>(clock: self).wait(until: deadline) != nil { throw CancellationError() }
    }

    /// Result of `work` once it has ended; nil if `limit` or a cancellation, which cancel it, come first.
    package func result<Value: Sendable>(
        within limit: Duration,
        of work: @escaping @Sendable () async -> Value
    ) async -> Value? {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask { await work() }
            group.addTask {
                try? await sleep(for: limit)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }

    /// Blocks the calling thread for `duration`, to simulate a slow driver call.
    package func block(for duration: Duration) {
        NamedThread.assertMayBlock("sleeping")
        let isOver = ThreadSemaphore()
        _ = setAlarm(now + duration) { isOver.post() }
        isOver.wait()
    }
}

extension ThreadTimer {
    /// Blocks the calling thread until ``descriptor`` is readable, in poll(2).
    package func wait() {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&waiting, 1, -1) < 1 {}
        withExtendedLifetime(self) {}
    }
}

extension MonotonicClock where Self == SystemClock {
    package static var system: SystemClock { SystemClock() }
}

/// `CLOCK_MONOTONIC`, the clock of V4L2 frame timestamps.
package struct SystemClock: MonotonicClock {
    package var now: MonotonicTime { .now() }
    /// `CLOCK_REALTIME`.
    package var wall: Timestamp { .now() }
    package var minimumResolution: Duration { .nanoseconds(1) }
    package func suspended() -> Duration { MonotonicTime.suspended() }

    package func setAlarm(_ moment: MonotonicTime, _ ring: @escaping @Sendable () -> Void) -> UInt64 {
        SystemAlarms.shared.add(moment, ring)
    }

    package func cancelAlarm(_ id: UInt64) { SystemAlarms.shared.remove(id) }
    package func timer() throws(ResourceError) -> any ThreadTimer { try SystemTimer() }
}

/// timerfd_create(2).
final class SystemTimer: ThreadTimer, Sendable {
    let descriptor: CInt

    init() throws(ResourceError) {
        descriptor = timerfd_create(CLOCK_MONOTONIC, CInt(TFD_CLOEXEC) | CInt(TFD_NONBLOCK))
        guard descriptor >= 0 else { throw ResourceError("timerfd_create", code: errno) }
    }

    deinit { close(descriptor) }

    func set(_ moment: MonotonicTime, every interval: Duration) {
        // timerfd_settime(2) takes 0 as "disarm".
        let start = max(1, moment.nanoseconds)
        let span = timespec(nanoseconds: interval.nanosecondCount)
        set(itimerspec(it_interval: span, it_value: timespec(nanoseconds: start)))
    }

    func stop() { set(itimerspec()) }

    private func set(_ setting: itimerspec) {
        var setting = setting
        _ = unsafe timerfd_settime(descriptor, CInt(TFD_TIMER_ABSTIME), &setting, nil)
    }

    func expirations() -> UInt64 {
        var count: UInt64 = 0
        return unsafe read(descriptor, &count, 8) == 8 ? count : 0
    }
}

extension timespec {
    init(nanoseconds: Int64) {
        self.init(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    }
}

package enum WallClock {
    /// True if synchronised according to the kernel (adjtimex(2)), by NTP or otherwise; false if that fails.
    package static var isSynchronized: Bool {
        let state = cv4l2_clock_state()
        return state >= 0 && state != CV4L2_CLOCK_UNSYNCHRONIZED
    }
}
