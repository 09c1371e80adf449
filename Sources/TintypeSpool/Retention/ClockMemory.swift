// SPDX-License-Identifier: Apache-2.0
internal import Logging
package import TintypeModel
internal import TintypeSystem

/// History of the wall clock, which decides if the age of pictures is reliable.
///
/// Nothing is deleted by age while the clock is not synchronised and, after a step of more than an hour, until the
/// machine has run for 24 hours or a user has confirmed the clock: a wrong year would make every picture old.
struct ClockMemory: Hashable, Sendable, Codable {
    private(set) var bootID: String
    /// Wall clock minus time since boot at the last trusted reading; a step changes it.
    private(set) var offsetUs: Int64
    /// Time since boot at the last reading.
    private(set) var uptimeUs: Int64
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
        [offsetUs, uptimeUs, hold?.step ?? 0, hold?.passed ?? 0].allSatisfy { Self.possible.contains($0) }
    }

    private static let possible: ClosedRange<Int64> = -(1 << 60)...(1 << 60)

    /// Starts with a first reading, in a spool whose newest picture has the time `newest`.
    init(_ reading: ClockReading, newest: Timestamp?) {
        bootID = reading.bootID
        uptimeUs = reading.uptime.nanosecondCount / 1000
        offsetUs = reading.wall.microseconds - uptimeUs
        if let newest { judge(reading.wall.microseconds - newest.microseconds) }
    }

    mutating func observe(_ reading: ClockReading) {
        let now = reading.uptime.nanosecondCount / 1000
        let present = reading.wall.microseconds - now
        if reading.bootID == bootID, now >= uptimeUs {
            hold?.passed += now - uptimeUs
            let step = present - offsetUs
            // Otherwise the offset stays, so that many small steps add up.
            if abs(step) > Self.hour {
                hold = Hold(step: step, passed: 0)
                offsetUs = present
            }
        } else {
            judge(reading.wall.microseconds - (offsetUs + uptimeUs))
            offsetUs = present
        }
        bootID = reading.bootID
        uptimeUs = now
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

package struct ClockReading: Hashable, Sendable {
    /// Current boot (/proc/sys/kernel/random/boot_id).
    package var bootID: String
    /// Time since boot, including suspend (`CLOCK_BOOTTIME`); unaffected by clock steps.
    package var uptime: Duration
    package var wall: Timestamp
    /// True if the kernel reports the wall clock as synchronised (adjtimex(2)).
    package var isSynchronized: Bool

    static func now(in boot: String, by clock: any MonotonicClock) -> ClockReading {
        ClockReading(bootID: boot, uptime: clock.sinceBoot, wall: clock.wall, isSynchronized: WallClock.isSynchronized)
    }
}

/// The ``ClockMemory`` of a spool, saved in it so that steps are detected across restarts; on the storage thread.
final class ClockHistory {
    private(set) var memory: ClockMemory?
    private var saved: ClockMemory?
    private unowned let spool: OpenSpool

    /// Time between saves without a change, in microseconds.
    private static let pause: Int64 = 600_000_000

    init(_ spool: OpenSpool) { self.spool = spool }

    private var path: String { "\(spool.folder)/.clock" }

    /// Reason why nothing may be deleted by age; nil if it may.
    ///
    /// `isConfirmed` by a user. A new suspension is logged if `isLogged`.
    func refusal(at reading: ClockReading, _ isConfirmed: Bool, isLogged: Bool) throws(Problem) -> String? {
        var present: ClockMemory
        if var known = latest {
            known.observe(reading)
            present = known
        } else {
            let newest = try spool.catalog.lists.search(.everything, order: .newest, limit: 1).rows.first
            present = ClockMemory(reading, newest: newest?.capturedAt)
        }
        if isConfirmed, present.hold != nil {
            present.confirm()
            spool.logger.notice("The clock was confirmed: retention by age continues")
        }
        let refusal = present.refusal(at: reading)
        if isLogged, let hold = present.hold, hold.step != memory?.hold?.step, let refusal {
            spool.logger.warning("\(refusal)")
        }
        memory = present
        save(present)
        return refusal
    }

    /// True if no known step suspends retention by age.
    var hasNoHold: Bool { latest?.hold == nil }

    /// The present memory, else the saved one; nil if there is none, or an invalid one.
    var latest: ClockMemory? { memory ?? savedBefore }

    /// As a daemon before this opening has saved it.
    private lazy var savedBefore: ClockMemory? = {
        guard let bytes = try? spool.files.read(path, atMost: FileLimit.note),
            let memory = try? WireFormat.decode(ClockMemory.self, from: bytes), memory.isPossible
        else { return nil }
        return memory
    }()

    /// Saves the memory if it changed, else every ten minutes; not flushed: an unreadable file is ignored.
    private func save(_ memory: ClockMemory) {
        if let saved, saved.bootID == memory.bootID, saved.offsetUs == memory.offsetUs,
            saved.hold?.step == memory.hold?.step, memory.uptimeUs - saved.uptimeUs < Self.pause
        {
            return
        }
        spool.attempt("A clock step would not be detected after a restart.", .debug) {
            let bytes = try WireFormat.encode(memory)
            let (mode, temporary) = (spool.configuration.fileMode, "\(spool.incoming)/clock")
            try spool.files.replaceFile(path, by: bytes, mode: mode, through: temporary)
            saved = memory
        }
    }
}
