// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import TintypeModel

/// Frames that nobody takes pile up in a driver only while time passes, and a thread that ends tells nobody; there is
/// nothing to await for either.
extension Waiting {
    /// Blocks for `duration`; only on a device thread.
    static func pause(for duration: Duration) {
        let end = MonotonicTime.now() + duration
        while MonotonicTime.now() < end {
            poll(nil, 0, CInt(max(1, (end - .now()).nanosecondCount / 1_000_000)))
        }
    }

    /// Whether `descriptor` becomes readable within `limit`, scaled; only on a device thread.
    static func isReadable(_ descriptor: CInt, within limit: Duration = .seconds(5)) -> Bool {
        var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&item, 1, CInt((limit * scale).nanosecondCount / 1_000_000)) == 1
    }

    /// Whether an event comes at `descriptor` within `limit`, scaled; only on a device thread.
    static func hasEvent(_ descriptor: CInt, within limit: Duration = .seconds(5)) -> Bool {
        var item = pollfd(fd: descriptor, events: Int16(POLLPRI), revents: 0)
        return unsafe poll(&item, 1, CInt((limit * scale).nanosecondCount / 1_000_000)) == 1
    }
}
