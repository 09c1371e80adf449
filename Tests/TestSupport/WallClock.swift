// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeModel
package import TintypeSystem

/// ``TestClock`` with a wall clock that stands still until a test sets it.
package final class WallClock: MonotonicClock {
    private let shown: Mutex<Timestamp>
    private let clock = TestClock()

    package init(_ moment: Timestamp) { shown = Mutex(moment) }

    package func set(_ moment: Timestamp) { shown.withLock { $0 = moment } }

    package var wall: Timestamp { shown.withLock(\.self) }
    package var now: MonotonicTime { clock.now }
    package var minimumResolution: Duration { clock.minimumResolution }
    package func suspended() -> Duration { clock.suspended() }
    package func timer() -> any ThreadTimer { clock.timer() }
    package func cancelAlarm(_ id: UInt64) { clock.cancelAlarm(id) }

    package func setAlarm(_ moment: MonotonicTime, _ ring: @escaping @Sendable () -> Void) -> UInt64 {
        clock.setAlarm(moment, ring)
    }
}
