// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Time on `CLOCK_MONOTONIC` (clock_gettime(2)), the clock of V4L2 buffer time stamps.
package struct MonotonicTime: Hashable, Comparable, Sendable, InstantProtocol {
    /// Nanoseconds since an unspecified point near boot; negative only for times calculated to lie before it.
    package let nanoseconds: Int64
    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
    /// Later than any time of the clock.
    package static let distantFuture = MonotonicTime(nanoseconds: .max)

    package static func now() -> MonotonicTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(time)
    }

    /// Time in suspend since boot: `CLOCK_BOOTTIME` less `CLOCK_MONOTONIC`, to a few µs, 10 ms on a busy machine.
    package static func suspended() -> Duration {
        var (before, between, after) = (timespec(), timespec(), timespec())
        for _ in 0..<3 {
            unsafe clock_gettime(CLOCK_BOOTTIME, &before)
            unsafe clock_gettime(CLOCK_MONOTONIC, &between)
            unsafe clock_gettime(CLOCK_BOOTTIME, &after)
            // Retry if the thread was preempted between the calls.
            if Self(after) - Self(before) < .milliseconds(10) { break }
        }
        return Self(before) - Self(between)
    }

    private init(_ time: timespec) { self.init(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)) }
    package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Negative if `left` is earlier.
    package static func - (left: MonotonicTime, right: MonotonicTime) -> Duration {
        .nanoseconds(left.nanoseconds.minus(right.nanoseconds))
    }

    package static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
        MonotonicTime(nanoseconds: time.nanoseconds.plus(duration.nanosecondCount))
    }

    package static func - (time: MonotonicTime, duration: Duration) -> MonotonicTime {
        MonotonicTime(nanoseconds: time.nanoseconds.minus(duration.nanosecondCount))
    }

    package func advanced(by duration: Duration) -> MonotonicTime { self + duration }
    package func duration(to other: MonotonicTime) -> Duration { other - self }
}

extension Duration {
    /// Total nanoseconds, at most those of 292 years.
    package var nanosecondCount: Int64 {
        let (seconds, attoseconds) = components
        let (nanoseconds, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflows else { return seconds < 0 ? .min : .max }
        return nanoseconds.plus(attoseconds / 1_000_000_000)
    }

    /// Of up to 292 years, to nanoseconds: the library's 128-bit division is slow, and this runs for each frame.
    package static func / (duration: Duration, divisor: Int) -> Duration {
        .nanoseconds(duration.nanosecondCount / Int64(divisor))
    }

    /// Total milliseconds with fractions.
    package var millisecondCount: Double { Double(nanosecondCount) / 1_000_000 }
}

/// Saturating arithmetic: times come from clocks, files and drivers, which can have any value.
extension Int64 {
    func plus(_ other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }

    func minus(_ other: Int64) -> Int64 {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? (other < 0 ? .max : .min) : difference
    }
}

extension Duration {
    /// Pause before another attempt: this one, doubled for each of `failures` further failures, at most `longest`.
    package func backoff(after failures: Int, upTo longest: Duration) -> Duration {
        min(longest, self * (1 << min(failures, 10)))
    }

    /// Half to all of it, at random, so that attempts that failed together are not repeated together.
    package var jittered: Duration { self * Double.random(in: 0.5...1) }
}
