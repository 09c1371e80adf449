// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeModel
internal import TintypeSystem

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
    /// `confirm` means that a user confirmed the clock. A new suspension is logged if `isLogged`.
    func refusal(at reading: ClockReading, confirm: Bool, isLogged: Bool) throws(Problem) -> String? {
        var present: ClockMemory
        if var known = latest {
            known.observe(reading)
            present = known
        } else {
            let newest = try spool.catalog.lists.search(.everything, order: .newest, limit: 1).rows.first
            present = ClockMemory(reading, newest: newest?.capturedAt)
        }
        if confirm, present.hold != nil {
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

    /// Saves the memory if it changed, else every ten minutes; not flushed: after a power cut the file is either
    /// readable or ignored.
    private func save(_ memory: ClockMemory) {
        if let saved, saved.bootID == memory.bootID, saved.offset == memory.offset,
            saved.hold?.step == memory.hold?.step, memory.uptime - saved.uptime < Self.pause
        {
            return
        }
        do {
            let bytes = try WireFormat.encode(memory)
            let (mode, temporary) = (spool.configuration.fileMode, "\(spool.incoming)/clock")
            try spool.files.replaceFile(path, by: bytes, mode: mode, through: temporary)
            saved = memory
        } catch {
            spool.logger.debug("\(error) A clock step would not be detected after a restart.")
        }
    }
}
