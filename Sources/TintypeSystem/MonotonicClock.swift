// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
package import TintypeModel

/// The clock that cameras and sessions go by.
///
/// The machine's is ``SystemClock``; tests have one that moves on as soon as nothing is left to do. Any thread.
package protocol MonotonicClock: Clock<Duration> where Instant == MonotonicTime {
    /// The wall clock at this moment; it may be stepped, this clock never is.
    var wall: Timestamp { get }
    /// How long the machine has been suspended since it booted, in which time this clock has stood still.
    func suspended() -> Duration
    /// Calls `ring` once `moment` has come, unless the alarm is cancelled before; returns its number.
    ///
    /// Never blocks. `ring` is called on a thread that must not be held up, at the moment or as soon as possible after
    /// it.
    func setAlarm(_ moment: MonotonicTime, _ ring: @escaping @Sendable () -> Void) -> UInt64
    /// Cancels an alarm, unless it rings at this moment.
    func cancelAlarm(_ id: UInt64)
    /// A timer that is not set.
    func timer() -> any ThreadTimer
}

/// Tells a thread that sleeps in poll(2) that a moment has come; for one thread.
package protocol ThreadTimer: AnyObject {
    /// Readable, for POLLIN, once the moment has come, until ``expirations()`` is asked.
    var descriptor: CInt { get }
    /// Sets it to `moment`, and to each `interval` after it where that is not zero, in place of what it was set to.
    func set(_ moment: MonotonicTime, every interval: Duration)
    /// It is not set any more.
    func stop()
    /// How many of its moments have come since this was last asked, or since it was set.
    func expirations() -> UInt64
}

extension MonotonicClock {
    /// The wall-clock time of `moment`, by the distance of the two clocks now.
    ///
    /// A wall clock that was stepped between that moment and now gives the time as it shows it now.
    package func wall(at moment: MonotonicTime) -> Timestamp { wall - (now - moment) }

    /// The time since the machine booted, time spent suspended included (`CLOCK_BOOTTIME`).
    package var sinceBoot: Duration { now - MonotonicTime(nanoseconds: 0) + suspended() }

    /// Suspends until `deadline`, never shorter; throws `CancellationError` where the task is cancelled.
    package func sleep(until deadline: MonotonicTime, tolerance: Duration?) async throws {
        if await Reply<Void>(clock: self).wait(until: deadline) != nil { throw CancellationError() }
    }

    /// Blocks the calling thread for `duration`, as a slow call of a driver does.
    package func block(for duration: Duration) {
        NamedThread.assertMayBlock("sleeping")
        let timer = timer()
        timer.set(now + duration, every: .zero)
        timer.wait()
    }
}

extension ThreadTimer {
    /// Blocks the calling thread until ``descriptor`` is readable.
    package func wait() {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&waiting, 1, -1) < 1 {}
        withExtendedLifetime(self) {}
    }
}

extension MonotonicClock where Self == SystemClock {
    /// The machine's clock.
    package static var system: SystemClock { SystemClock() }
}

/// The machine's clock: `CLOCK_MONOTONIC`, by which V4L2 stamps frames.
package struct SystemClock: MonotonicClock {
    /// See clock_gettime(2).
    package var now: MonotonicTime { .now() }
    /// `CLOCK_REALTIME`.
    package var wall: Timestamp { .now() }
    package var minimumResolution: Duration { .nanoseconds(1) }

    package func suspended() -> Duration { MonotonicTime.suspended() }

    package func setAlarm(_ moment: MonotonicTime, _ ring: @escaping @Sendable () -> Void) -> UInt64 {
        SystemAlarms.shared.add(moment, ring)
    }

    package func cancelAlarm(_ id: UInt64) { SystemAlarms.shared.remove(id) }
    package func timer() -> any ThreadTimer { SystemTimer() }
}

/// See timerfd_create(2).
final class SystemTimer: ThreadTimer, Sendable {
    let descriptor: CInt

    init() {
        descriptor = timerfd_create(CLOCK_MONOTONIC, CInt(TFD_CLOEXEC) | CInt(TFD_NONBLOCK))
        precondition(
            descriptor >= 0,
            "timerfd_create: error \(errno); raise the limit of open files (LimitNOFILE=, ulimit -n)"
        )
    }

    deinit { close(descriptor) }

    func set(_ moment: MonotonicTime, every interval: Duration) {
        // A moment of 0 would mean that the timer is not set.
        let start = max(1, moment.nanoseconds)
        set(itimerspec(it_interval: Self.time(interval.nanosecondCount), it_value: Self.time(start)))
    }

    func stop() { set(itimerspec()) }

    private func set(_ setting: itimerspec) {
        var setting = setting
        _ = unsafe timerfd_settime(descriptor, CInt(TFD_TIMER_ABSTIME), &setting, nil)
    }

    private static func time(_ nanoseconds: Int64) -> timespec {
        timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    }

    func expirations() -> UInt64 {
        var count: UInt64 = 0
        return unsafe read(descriptor, &count, 8) == 8 ? count : 0
    }
}

/// The machine's wall clock.
package enum WallClock {
    /// Whether the kernel knows it to be synchronised, by NTP or otherwise.
    ///
    /// False where it cannot be asked. The C function is `adjtimex`, which changes nothing with `modes` 0.
    package static var isSynchronized: Bool {
        let state = cv4l2_clock_state()
        return state >= 0 && state != CV4L2_CLOCK_UNSYNCHRONIZED
    }
}
