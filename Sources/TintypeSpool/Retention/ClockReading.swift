// SPDX-License-Identifier: Apache-2.0
package import TintypeModel
internal import TintypeThreads

/// The machine's clocks at one moment.
package struct ClockReading: Hashable, Sendable {
    /// The running boot (/proc/sys/kernel/random/boot_id).
    package var bootID: String
    /// The time since that boot, time spent suspended included (`CLOCK_BOOTTIME`); no step changes it.
    package var uptime: Duration
    /// The wall clock.
    package var wall: Timestamp
    /// Whether the kernel knows the wall clock to be synchronised (adjtimex(2)).
    package var isSynchronized: Bool

    /// A reading of these parts.
    package init(bootID: String, uptime: Duration, wall: Timestamp, isSynchronized: Bool) {
        self.bootID = bootID
        self.uptime = uptime
        self.wall = wall
        self.isSynchronized = isSynchronized
    }

    /// The clocks now, in the boot of that id.
    static func now(bootID: String) -> ClockReading {
        let suspended = MonotonicTime.suspended()
        return ClockReading(
            bootID: bootID,
            uptime: .nanoseconds(MonotonicTime.now().nanoseconds) + suspended,
            wall: .now(),
            isSynchronized: WallClock.isSynchronized
        )
    }
}
