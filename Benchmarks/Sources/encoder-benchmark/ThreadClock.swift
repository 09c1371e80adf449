// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The processor time of the calling thread, clock_gettime(2) with `CLOCK_THREAD_CPUTIME_ID`.
///
/// Both encoders compute on one thread and wait for nothing; so it is what the wall clock would say on an idle machine,
/// and other programs disturb it less.
enum ThreadClock {
    /// CPU time of `work` on this thread, in milliseconds.
    static func milliseconds<Failure: Error>(_ work: () throws(Failure) -> Void) throws(Failure) -> Double {
        let start = now()
        try work()
        return now() - start
    }

    private static func now() -> Double {
        var time = timespec()
        unsafe _ = clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
}
