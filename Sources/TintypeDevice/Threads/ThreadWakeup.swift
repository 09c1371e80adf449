// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import Synchronization

/// Wakes a thread that sleeps in poll(2), by eventfd(2).
package final class ThreadWakeup: Sendable {
    /// Readable (POLLIN) after a wake.
    let descriptor: CInt
    private let isWoken = Atomic(false)

    package init() {
        descriptor = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))
        precondition(
            descriptor >= 0,
            "eventfd: error \(errno); raise the limit of open files (LimitNOFILE=, ulimit -n)"
        )
    }

    deinit { close(descriptor) }

    /// Wakes the thread; several calls may be merged into one wake; any thread; never blocks.
    package func wake() {
        guard !isWoken.exchange(true, ordering: .acquiringAndReleasing) else { return }
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
