// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import Synchronization
package import TintypeSystem

/// Wakes a thread that sleeps in poll(2), by eventfd(2).
package final class ThreadWakeup: Sendable {
    private let number = Atomic<CInt>(-1)
    private let isWoken = Atomic(false)

    package init() {}

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Readable (POLLIN) after a wake; -1 before ``open()``.
    var descriptor: CInt { number.load(ordering: .acquiring) }

    /// Opens the descriptor, once, before the thread starts; wakes before that are kept.
    package func open() throws(ResourceError) {
        guard descriptor < 0 else { return }
        let opened = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))
        guard opened >= 0 else { throw ResourceError("eventfd", code: errno) }
        number.store(opened, ordering: .releasing)
    }

    /// Wakes the thread; several calls may be merged into one wake; any thread; never blocks.
    package func wake() {
        guard !isWoken.exchange(true, ordering: .acquiringAndReleasing), descriptor >= 0 else { return }
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
