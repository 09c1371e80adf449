// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import Synchronization

/// What wakes a thread that sleeps in poll(2): an eventfd(2).
package final class ThreadWakeup: Sendable {
    /// What the thread polls for POLLIN.
    let descriptor: CInt
    private let isWoken = Atomic(false)

    /// A wakeup for one thread.
    package init() {
        descriptor = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))
        precondition(
            descriptor >= 0,
            "eventfd: error \(errno); raise the limit of open files (LimitNOFILE=, ulimit -n)"
        )
    }

    deinit { close(descriptor) }

    /// Wakes the thread; several calls may be answered by one wake.
    ///
    /// Any thread; never blocks.
    package func wake() {
        guard !isWoken.exchange(true, ordering: .acquiringAndReleasing) else { return }
        eventfd_write(descriptor, 1)
    }

    /// Whether the thread was woken since the last call; for the thread alone, before it looks at what it was woken for.
    func take() -> Bool { isWoken.exchange(false, ordering: .acquiringAndReleasing) }

    /// Ends that the descriptor is readable; for the thread alone, once poll(2) has found it so.
    ///
    /// A wake sets the flag before it writes, so that the thread knows of each that it drains.
    func drain() {
        var count: eventfd_t = 0
        unsafe eventfd_read(descriptor, &count)
    }
}
