// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A moment on `CLOCK_MONOTONIC`, the clock that V4L2 stamps buffers with (clock_gettime(2)).
package struct MonotonicTime: Hashable, Comparable, Sendable {
    /// Nanoseconds since an unspecified point near boot; negative only for moments computed to lie before it.
    package let nanoseconds: Int64

    /// The moment at `nanoseconds`.
    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The present moment.
    package static func now() -> MonotonicTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(time)
    }

    /// How long the machine has been suspended since it booted: `CLOCK_BOOTTIME` goes on meanwhile, this clock does not.
    ///
    /// Exact to some microseconds, or to 10 ms on a machine that is very busy.
    package static func suspended() -> Duration {
        var (before, between, after) = (timespec(), timespec(), timespec())
        for _ in 0..<3 {
            unsafe clock_gettime(CLOCK_BOOTTIME, &before)
            unsafe clock_gettime(CLOCK_MONOTONIC, &between)
            unsafe clock_gettime(CLOCK_BOOTTIME, &after)
            // An interruption between the calls shows; they are made again.
            if Self(after) - Self(before) < .milliseconds(10) { break }
        }
        return Self(before) - Self(between)
    }

    private init(_ time: timespec) { self.init(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)) }

    package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The time from `right` to `left`, negative if `left` is earlier.
    package static func - (left: MonotonicTime, right: MonotonicTime) -> Duration {
        .nanoseconds(left.nanoseconds - right.nanoseconds)
    }

    /// The moment `duration` after `time`.
    package static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
        MonotonicTime(nanoseconds: time.nanoseconds + duration.nanosecondCount)
    }

    /// The moment `duration` before `time`.
    package static func - (time: MonotonicTime, duration: Duration) -> MonotonicTime {
        MonotonicTime(nanoseconds: time.nanoseconds - duration.nanosecondCount)
    }
}

extension MonotonicTime: InstantProtocol {
    package func advanced(by duration: Duration) -> MonotonicTime { self + duration }
    package func duration(to other: MonotonicTime) -> Duration { other - self }
}

extension Duration {
    /// The whole duration in nanoseconds, for durations of up to 292 years.
    package var nanosecondCount: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// A part of a duration of up to 292 years, in whole nanoseconds.
    ///
    /// In 64 bits, in which processors divide: the standard library divides 128, and this is done for each frame.
    package static func / (duration: Duration, divisor: Int) -> Duration {
        .nanoseconds(duration.nanosecondCount / Int64(divisor))
    }

    /// The whole duration in milliseconds and fractions of them.
    package var millisecondCount: Double { Double(nanosecondCount) / 1_000_000 }
}
