// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeModel
internal import TintypeSystem

extension Storage {
    private var clockPath: String { "\(folder)/.clock" }

    /// Reason why nothing may be deleted by age; nil if it may.
    ///
    /// Saves the clock history in the spool, so that steps are detected across restarts. `confirm` means that a user
    /// confirmed the clock.
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
            logger.notice("The clock was confirmed: retention by age continues")
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

    /// True if the clock is synchronised and no known step suspends retention by age.
    var isClockTrusted: Bool { WallClock.isSynchronized && (maintenance.clock ?? savedClock())?.hold == nil }

    /// The saved clock history; nil if missing or invalid.
    func savedClock() -> ClockMemory? {
        guard let bytes = try? files.read(clockPath, atMost: FileLimit.note),
            let memory = try? WireFormat.decode(ClockMemory.self, from: bytes), memory.isPossible
        else { return nil }
        return memory
    }

    /// Saves the clock history if it changed, else every ten minutes; not flushed: after a power cut the file is either
    /// readable or ignored.
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
            logger.debug("\(error) A clock step would not be detected after a restart.")
        }
    }

    private static let pause: Int64 = 600_000_000
}
