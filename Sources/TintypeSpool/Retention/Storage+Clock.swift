// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeModel
internal import TintypeSystem

extension Storage {
    private var clockPath: String { "\(folder)/.clock" }

    /// Why nothing may go by age now; nil if it may.
    ///
    /// Keeps in the spool what is known of the clock, so that a step is noticed across restarts too. With `confirm`
    /// a user says that the clock is right.
    func clockRefusal(at reading: ClockReading, confirm: Bool) throws(Problem) -> String? {
        var memory: ClockMemory
        if var known = maintenance.clock ?? savedClock() {
            known.observe(reading)
            memory = known
        } else {
            let newest = try catalog.search(.everything, order: .newest, limit: 1).rows.first
            memory = ClockMemory(reading, newest: newest?.capturedAt)
        }
        if confirm, memory.hold != nil {
            memory.confirm()
            logger.notice("The clock was confirmed to be right: retention by age goes on")
        }
        if !retentionPlan.ages.isEmpty, let hold = memory.hold, hold.step != maintenance.clock?.hold?.step,
            let refusal = memory.refusal(at: reading)
        {
            logger.warning("\(refusal)")
        }
        maintenance.clock = memory
        save(memory)
        return memory.refusal(at: reading)
    }

    /// Whether the clock is synchronised and no step of it delays retention by age, as far as that is known.
    var isClockTrusted: Bool {
        WallClock.isSynchronized && (maintenance.clock ?? savedClock())?.hold == nil
    }

    /// The stored memory of the clock; nil if there is none, or none that tintyped can have written.
    func savedClock() -> ClockMemory? {
        guard let bytes = try? files.read(clockPath, atMost: FileLimit.note),
            let memory = try? WireFormat.decode(ClockMemory.self, from: bytes), memory.isPossible
        else { return nil }
        return memory
    }

    /// Writes down what is known of the clock where that has changed, else every ten minutes.
    ///
    /// It is not flushed: what a power cut leaves of it either can be read or is as good as none.
    private func save(_ memory: ClockMemory) {
        if let saved = maintenance.clockSaved, saved.bootID == memory.bootID, saved.offset == memory.offset,
            saved.hold?.step == memory.hold?.step, memory.uptime - saved.uptime < Self.pause
        {
            return
        }
        do {
            let bytes = try WireFormat.encode(memory)
            try files.replaceFile(clockPath, by: bytes, mode: configuration.fileMode, through: "\(incoming)/clock")
            maintenance.clockSaved = memory
        } catch {
            logger.debug("\(error) A step of the clock would not be noticed after a restart.")
        }
    }

    /// Ten minutes, in microseconds.
    private static let pause: Int64 = 600_000_000
}
