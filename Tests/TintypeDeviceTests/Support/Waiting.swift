// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TintypeModel

/// The one place of these tests that lets time pass.
///
/// Frames that nobody takes pile up in a driver only while time passes, and a thread that ends tells nobody; there is
/// nothing to await for either.
enum Waiting {
    /// By how much the time limits are longer than on a machine of its own (`TINTYPE_TEST_SCALE`).
    static let scale = max(1, Int(ProcessInfo.processInfo.environment["TINTYPE_TEST_SCALE"] ?? "") ?? 1)

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

    /// Whether `condition` comes true within `limit`, scaled.
    static func eventually(within limit: Duration = .seconds(5), _ condition: () -> Bool) async -> Bool {
        let end = MonotonicTime.now() + limit * scale
        while MonotonicTime.now() < end {
            if condition() { return true }
            try? await Task.sleep(for: .milliseconds(2))
        }
        return condition()
    }
}
