// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport

/// Waiting for driver events on descriptors.
extension Waiting {
    /// Blocks until `descriptor` is readable; only on a device thread.
    static func untilReadable(_ descriptor: CInt) -> Bool { isReady(descriptor, POLLIN, within: -1) }

    /// Blocks until an event is pending at `descriptor`; only on a device thread.
    static func untilEvent(_ descriptor: CInt) -> Bool { isReady(descriptor, POLLPRI, within: -1) }

    /// Returns true if an event is pending at `descriptor`.
    static func hasEvent(_ descriptor: CInt) -> Bool { isReady(descriptor, POLLPRI, within: 0) }

    private static func isReady(_ descriptor: CInt, _ events: CInt, within milliseconds: CInt) -> Bool {
        var item = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        return unsafe poll(&item, 1, milliseconds) == 1
    }
}
