// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import Synchronization
internal import TintypeModel

/// Signals of the process as bytes of a pipe, for one thread that waits for them (signal-safety(7)).
///
/// Needs no other thread, and so receives signals also while the system refuses new threads.
package enum SignalPipe {
    private static let reading = Atomic<CInt>(-1)
    private static let writing = Atomic<CInt>(-1)

    /// Opens the pipe and handles `signals`; call it once.
    package static func open(for signals: [CInt]) throws(ResourceError) {
        var pair: [CInt] = [-1, -1]
        guard unsafe pipe(&pair) == 0 else { throw ResourceError("pipe", code: errno) }
        for end in pair {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        reading.store(pair[0], ordering: .relaxed)
        writing.store(pair[1], ordering: .relaxed)
        for number in signals { signal(number) { SignalPipe.write($0) } }
    }

    /// Lets the calling thread take `signals`, which libdispatch blocks on its threads and those that they start.
    package static func unblock(_ signals: [CInt]) {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in signals { unsafe sigaddset(&set, number) }
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// Ends a wait without a signal.
    package static func wake() { write(0) }

    /// Returns the next signal, or nil at the end of `limit` or after ``wake()``; blocks, for ever without a limit.
    package static func next(within limit: Duration?) -> CInt? {
        var waiting = pollfd(fd: reading.load(ordering: .relaxed), events: Int16(POLLIN), revents: 0)
        let milliseconds = limit.map { CInt(clamping: ($0.nanosecondCount + 999_999) / 1_000_000) } ?? -1
        var number: UInt8 = 0
        guard unsafe poll(&waiting, 1, milliseconds) == 1, unsafe read(waiting.fd, &number, 1) == 1 else { return nil }
        return number == 0 ? nil : CInt(number)
    }

    private static func write(_ number: CInt) {
        // The interrupted code may be about to read it.
        let code = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = unsafe Glibc.write(writing.load(ordering: .relaxed), &byte, 1)
        errno = code
    }
}
