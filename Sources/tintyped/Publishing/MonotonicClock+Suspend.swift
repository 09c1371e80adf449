// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import TintypeThreads

extension MonotonicClock {
    /// The time since the machine booted, also while it was suspended (`CLOCK_BOOTTIME`).
    var sinceBoot: Duration { now - MonotonicTime(nanoseconds: 0) + suspended() }
}
