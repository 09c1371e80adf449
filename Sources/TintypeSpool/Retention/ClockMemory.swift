// SPDX-License-Identifier: Apache-2.0
package import TintypeModel
internal import TintypeSystem

/// The known past of the wall clock, to tell whether the age of pictures can be believed.
///
/// A clock that was set wrong by a year makes every picture old. So nothing goes by age while the clock is not
/// synchronised, nor after a step of more than an hour until the machine has run for 24 hours or a user has confirmed
/// that the clock is right.
struct ClockMemory: Hashable, Sendable {
    /// The boot of the last reading.
    private(set) var bootID: String
    /// The wall clock less the time since boot, in microseconds, when the clock was last believed: what a step changes.
    private(set) var offset: Int64
    /// The time since boot of the last reading, in microseconds.
    private(set) var uptime: Int64
    /// The last step that delays retention by age.
    private(set) var hold: Hold?

    /// A step, and for how long the machine has run since.
    struct Hold: Hashable, Sendable, Codable {
        /// By how much the clock went ahead, in microseconds; negative if it went back.
        var step: Int64
        /// Microseconds.
        var passed: Int64
    }

    private static let hour: Int64 = 3_600_000_000
    /// For how long nothing goes by age after a step.
    static let rest: Int64 = 24 * hour
    /// For how long a machine may be switched off before the clock of its next start is doubted.
    ///
    /// Nothing tells a long time without power from a clock that starts too late.
    static let longestOff: Int64 = 7 * 24 * hour

    /// Whether no sum of its times can overflow, as of those that tintyped writes: 36,000 years at most.
    var isPossible: Bool {
        [offset, uptime, hold?.step ?? 0, hold?.passed ?? 0].allSatisfy { Self.possible.contains($0) }
    }

    private static let possible: ClosedRange<Int64> = -(1 << 60)...(1 << 60)

    /// The memory after a first reading, in a spool whose newest picture was stored at `newest`.
    init(_ reading: ClockReading, newest: Timestamp?) {
        bootID = reading.bootID
        uptime = reading.uptime.nanosecondCount / 1000
        offset = reading.wall.microseconds - uptime
        if let newest { judge(reading.wall.microseconds - newest.microseconds) }
    }

    /// Takes notice of a further reading.
    mutating func observe(_ reading: ClockReading) {
        let now = reading.uptime.nanosecondCount / 1000
        let present = reading.wall.microseconds - now
        if reading.bootID == bootID, now >= uptime {
            hold?.passed += now - uptime
            let step = present - offset
            // The offset stays otherwise, so that many small steps add up.
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

    /// Judges how far the clock has gone since it was last read, over a time in which nothing else is known.
    private mutating func judge(_ change: Int64) {
        if change < -Self.hour || change > Self.longestOff { hold = Hold(step: change, passed: 0) }
    }

    /// A user says that the clock is right.
    mutating func confirm() { hold = nil }

    /// Why nothing may go by age now, as a sentence with a remedy; nil if it may.
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

    /// A time in days and hours, or hours and minutes.
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

    /// The clocks now, in the boot of that id.
    static func now(bootID: String, by clock: any MonotonicClock) -> ClockReading {
        ClockReading(
            bootID: bootID,
            uptime: clock.sinceBoot,
            wall: clock.wall,
            isSynchronized: WallClock.isSynchronized
        )
    }
}
