// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel
internal import TintypeThreads

/// Sleeping on a thread of our own.
enum Pause {
    /// Blocks the calling thread for `duration`, whatever signals arrive.
    ///
    /// The C function is `clock_nanosleep` on `CLOCK_MONOTONIC`.
    static func thread(for duration: Duration) {
        NamedThread.assertMayBlock("sleeping")
        let end = (MonotonicTime.now() + duration).nanoseconds
        var moment = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
        while unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, nil) == EINTR {}
    }
}
