// SPDX-License-Identifier: Apache-2.0
package import TintypeModel
internal import TintypeSystem

/// History of the wall clock, which decides if the age of pictures is reliable.
///
/// A clock that is wrong by a year would make every picture old. Nothing is deleted by age while the clock is not
/// synchronised. The same holds after a step of more than an hour, until the machine has run for 24 hours or a user has
/// confirmed the clock.
struct ClockMemory: Hashable, Sendable {
    private(set) var bootID: String
    /// Wall clock minus time since boot, in microseconds, at the last trusted reading; a step changes it.
    private(set) var offset: Int64
    /// Time since boot at the last reading, in microseconds.
    private(set) var uptime: Int64
    /// The last step that suspends retention by age.
    private(set) var hold: Hold?

    struct Hold: Hashable, Sendable, Codable {
        /// Microseconds; negative if the clock was set back.
        var step: Int64
        /// Microseconds.
        var passed: Int64
    }

    private static let hour: Int64 = 3_600_000_000
    /// Duration of the suspension after a step, in microseconds.
    static let rest: Int64 = 24 * hour
    /// Maximum time a machine may be off before the clock is distrusted at the next start, in microseconds: a long
    /// power-off is indistinguishable from a clock that was set ahead.
    static let longestOff: Int64 = 7 * 24 * hour

    /// True if all values are within ±36,000 years, as tintyped writes them, so that no sum overflows.
    var isPossible: Bool {
        [offset, uptime, hold?.step ?? 0, hold?.passed ?? 0].allSatisfy { Self.possible.contains($0) }
    }

    private static let possible: ClosedRange<Int64> = -(1 << 60)...(1 << 60)

    /// Starts with a first reading, in a spool whose newest picture has the time `newest`.
    init(_ reading: ClockReading, newest: Timestamp?) {
        bootID = reading.bootID
        uptime = reading.uptime.nanosecondCount / 1000
        offset = reading.wall.microseconds - uptime
        if let newest { judge(reading.wall.microseconds - newest.microseconds) }
    }

    mutating func observe(_ reading: ClockReading) {
        let now = reading.uptime.nanosecondCount / 1000
        let present = reading.wall.microseconds - now
        if reading.bootID == bootID, now >= uptime {
            hold?.passed += now - uptime
            let step = present - offset
            // Otherwise the offset stays, so that many small steps add up.
            if abs(step) > Self.hour {
                hold = Hold(step: step, passed: 0)
                offset = present
            }
        } else {
            judge(reading.wall.microseconds - (offset + uptime))
            offset = present
        }
        bootID = reading.bootID
        uptime = now
        if let hold, hold.passed >= Self.rest { self.hold = nil }
    }

    /// Judges the change of the clock over a time of unknown length.
    private mutating func judge(_ change: Int64) {
        if change < -Self.hour || change > Self.longestOff { hold = Hold(step: change, passed: 0) }
    }

    /// Ends the suspension: a user confirmed the clock.
    mutating func confirm() { hold = nil }

    /// Reason why nothing may be deleted by age, with a remedy; nil if it may.
    func refusal(at reading: ClockReading) -> String? {
        guard reading.isSynchronized else {
            return "No picture is deleted by age: the clock is not synchronised. Let it be set from the network"
                + " (timedatectl set-ntp true)."
        }
        guard let hold else { return nil }
        let way = hold.step < 0 ? "back" : "forward"
        return "No picture is deleted by age for another \(Self.text(Self.rest - hold.passed)): the clock was set"
            + " \(way) by \(Self.text(abs(hold.step))). If it is right now, confirm it with"
            + " “tintype frames retention --confirm”."
    }

    private static func text(_ microseconds: Int64) -> String {
        let minutes = (microseconds + 59_999_999) / 60_000_000
        if minutes >= 48 * 60 { return "\(minutes / 1440) d \(minutes / 60 % 24) h" }
        return "\(minutes / 60) h \(minutes % 60) min"
    }
}

extension ClockMemory: Codable {
    private enum CodingKeys: String, CodingKey {
        case bootID
        case offset = "offsetUs"
        case uptime = "uptimeUs"
        case hold
    }
}

package struct ClockReading: Hashable, Sendable {
    /// Current boot (/proc/sys/kernel/random/boot_id).
    package var bootID: String
    /// Time since boot, including suspend (`CLOCK_BOOTTIME`); unaffected by clock steps.
    package var uptime: Duration
    package var wall: Timestamp
    /// True if the kernel reports the wall clock as synchronised (adjtimex(2)).
    package var isSynchronized: Bool

    static func now(bootID: String, by clock: any MonotonicClock) -> ClockReading {
        ClockReading(
            bootID: bootID,
            uptime: clock.sinceBoot,
            wall: clock.wall,
            isSynchronized: WallClock.isSynchronized
        )
    }
}
