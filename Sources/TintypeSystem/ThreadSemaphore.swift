// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import TintypeModel

/// Counting semaphore for threads (sem_overview(7)), which a post wakes one at a time.
@safe package final class ThreadSemaphore: Sendable {
    /// In heap memory that lives as long as this object; safe to share between threads.
    private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

    package init() {
        unsafe semaphore = .allocate(capacity: 1)
        unsafe sem_init(semaphore, 0, 0)
    }

    deinit {
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    package func post() { unsafe sem_post(semaphore) }

    /// Blocks the calling thread until a post is left for it.
    package func wait() {
        // EINTR
        while unsafe sem_wait(semaphore) != 0 {}
    }

    /// Like ``wait()``, but at most until `moment`; nil for no limit.
    func wait(until moment: MonotonicTime?) {
        guard let moment else { return wait() }
        var end = timespec(nanoseconds: max(0, moment.nanoseconds))
        while unsafe cv4l2_wait_for_semaphore(semaphore, &end) != 0, errno == EINTR {}
    }
}
