// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeModel
internal import TintypeSystem

/// Deletes pictures by age, by the limits on number and bytes, and for free space; on the storage thread.
final class Retention {
    /// Time until a quick pass checks all pictures by age.
    private static let wholePass = Duration.seconds(3600)
    private static let mostTombstones = 50_000
    /// Number of rows read in one step while pictures that wait for an upload are passed over.
    private static let waitingBatch = 500
    /// Number of files removed without a tombstone on a completely full disk.
    private static let sacrifice = 4

    private(set) lazy var plan = RetentionPlan(
        spool.configuration.retention,
        cameras: spool.configuration.cameraRetention
    )
    private(set) lazy var clock = ClockHistory(spool)
    var room = RoomWatch()
    private(set) var unremovable = UnremovableFiles()
    /// Time of the last complete pass by age, and uptime of the last one over all pictures; nil before the first.
    private var lastAges: (now: Timestamp, whole: Duration)?
    var waiting = WaitingPictures()
    /// True if the file system was last too full for retention to free enough space.
    private var isHopeless = false
    private unowned let spool: OpenSpool

    init(_ spool: OpenSpool) { self.spool = spool }

    /// Discards state derived from the retention rules, since new rules may affect older pictures.
    func forgetRules() {
        plan = RetentionPlan(spool.configuration.retention, cameras: spool.configuration.cameraRetention)
        lastAges = nil
        isHopeless = false
        waiting = WaitingPictures()
    }

    func begin(isDry: Bool, confirm: Bool, isQuick: Bool, at reading: ClockReading?) throws(Problem) -> RetentionPass {
        let reading = reading ?? .now(in: spool.site.bootID, by: spool.clock)
        var since: Timestamp?
        if isQuick, let last = lastAges, reading.uptime - last.whole < Self.wholePass, last.now <= reading.wall {
            since = last.now
        }
        unremovable.forgetOld(at: spool.clock.now)
        let report = RetentionReport(spool: spool.configuration.name, isDryRun: isDry)
        var pass = RetentionPass(plan: plan, now: reading.wall, since: since, report: report, countsPins: !isQuick)
        // A dry run shows the pictures that would be deleted after a confirmation.
        let isSupposed = isDry && confirm && reading.isSynchronized
        if !isSupposed {
            // Also without age rules: steps must be known if rules are added later, and tombstones expire by age.
            let isConfirmed = confirm && !isDry
            pass.report.withheld = try clock.refusal(at: reading, isConfirmed, isLogged: !plan.ages.isEmpty)
        }
        // A pass that may not check ages does not count as one.
        let checksAges = pass.report.withheld == nil && !plan.ages.isEmpty
        if !isDry, checksAges { pass.uptime = reading.uptime }
        if !isDry, !checksAges { lastAges = nil }
        if plan.ages.isEmpty { pass.report.withheld = nil }
        return pass
    }

    /// Runs one step of a pass, which ends if the rules have changed; the next pass applies the new ones.
    ///
    /// Throws the errors of deleting. The pass can continue after that, past the pictures that could not be deleted.
    func advance(_ pass: inout RetentionPass) throws(Problem) {
        guard pass.isDry || pass.plan == plan else {
            pass.phase = .done
            return
        }
        switch pass.phase {
        case .ages(let clause, let last):
            guard pass.report.withheld == nil, clause < pass.plan.ages.count else {
                pass.phase = .limits(after: nil)
                return
            }
            try deleteByAge(&pass, clause, after: last)
        case .limits(let last): try deleteByLimit(&pass, after: last, isWaiting: false)
        case .waiting(let last): try deleteByLimit(&pass, after: last, isWaiting: true)
        case .done: return
        }
    }

    func end(_ pass: RetentionPass) throws(Problem) {
        // Under new rules, older pictures may be too old.
        if let uptime = pass.uptime, pass.plan == plan {
            lastAges = (pass.now, pass.since == nil ? uptime : lastAges?.whole ?? uptime)
        }
        // A wrong clock would expire tombstones too early.
        if WallClock.isSynchronized, clock.hasNoHold {
            _ = try spool.catalog.tombstones.forget(before: Tombstone.oldest(at: spool.clock.wall))
            try spool.jobTable.forget(before: spool.clock.wall - Job.memory)
        }
        try spool.catalog.tombstones.forget(beyond: Self.mostTombstones)
        guard pass.report.frames > 0 else { return }
        spool.logger.info(
            "Retention deleted pictures",
            metadata: ["count": "\(pass.report.frames)", "bytes": "\(pass.report.bytes)"]
        )
    }

    private func deleteByAge(_ pass: inout RetentionPass, _ number: Int, after last: FrameID?) throws(Problem) {
        let clause = pass.plan.ages[number]
        var filters: [FrameFilter] = [clause.filter, .is(.kind(clause.kind)), .is(.to(pass.now - clause.keep))]
        // The last pass deleted the pictures that were too old by then.
        if let since = pass.since { filters.append(.is(.from(since - clause.keep))) }
        // A single search step, so that stills do not wait for long.
        let (filter, lists) = (FrameFilter.all(filters).resolved(at: pass.now), spool.catalog.lists)
        let found = try lists.search(
            filter,
            order: .oldest,
            limit: pass.limit,
            after: last,
            within: .zero,
            skipsWaiting: pass.plan.keepsWaiting
        )
        pass.phase = found.end.map { .ages(clause: number, after: $0) } ?? .ages(clause: number + 1, after: nil)
        // The age of a picture taken with an unsynchronised clock is unknown.
        let old = found.rows.filter { $0.isClockSynchronized && !pass.gone.contains($0.id) }
        pass.report.keptByPin += old.count(where: \.isPinned)
        let due = old.filter { !$0.isPinned && !unremovable.contains($0.id) }
        try delete(due.map { ($0, clause.rule) }, &pass)
    }

    private func deleteByLimit(_ pass: inout RetentionPass, after last: FrameRow?, isWaiting: Bool) throws(Problem) {
        typealias Phase = RetentionPass.Phase
        let skipsWaiting = pass.plan.keepsWaiting && !isWaiting
        let phase = { (row: FrameRow?) in isWaiting ? Phase.waiting(after: row) : .limits(after: row) }
        var excess = if let known = pass.excess { known } else { try presentExcess(of: pass) }
        if !pass.isDry, room.isExhausted { excess.giveUpRoom() }
        if isWaiting { excess.giveUpFrames() }
        pass.excess = excess
        // During a rebuild, the oldest known picture may be the newest of all.
        guard !spool.comparison.isRebuilding, !excess.isCovered else {
            pass.phase = .done
            return
        }
        let (cameras, catalog) = (excess.cameras, spool.catalog)
        let size = skipsWaiting ? max(pass.limit, Self.waitingBatch) : pass.limit
        let order = ArrivalOrder(cameras: cameras, isPinned: pass.countsPins && !isWaiting, isLost: true)
        let passed = skipsWaiting && !pass.isDry ? waiting.last(of: cameras).map(ArrivalOrder.end) : nil
        let rows = try catalog.rows(in: order, after: last?.place ?? passed, limit: size)
        pass.phase = rows.count == size ? phase(rows.last) : skipsWaiting ? .waiting(after: nil) : .done
        let kept = skipsWaiting ? try spool.jobTable.waiting(among: rows) : []
        if skipsWaiting, !pass.isDry { waiting.pass(rows, kept, of: cameras, after: last) }
        var (rest, due): (RetentionExcess, [RetentionPass.Due]) = (excess, [])
        var allowance = pass.isDry ? Int.max : room.allowance
        var behind = last
        for row in rows {
            let rule = rest.rule(for: row)
            if rest.isCovered || rule == RetentionExcess.room && allowance <= 0 || due.count == pass.limit {
                // If some of the earlier ones cannot be removed, others must be deleted instead.
                pass.phase = phase(behind)
                break
            }
            behind = row
            guard !kept.contains(row.id) else { continue }
            guard let rule, !pass.gone.contains(row.id), !unremovable.contains(row.id) else { continue }
            guard !row.isPinned else {
                pass.report.keptByPin += 1
                continue
            }
            // A row without a file frees no space; it is deleted because it is older than the others.
            if !row.isLost {
                rest.take(row)
                allowance -= RetentionExcess.onDisk(row.bytes)
            }
            due.append((row, rule))
        }
        let gone = try delete(due, &pass, forRoom: excess.free > 0)
        for row in gone.map(\.row) where !row.isLost { pass.excess?.take(row) }
    }

    private func presentExcess(of pass: RetentionPass) throws(Problem) -> RetentionExcess {
        var totals = pass.plan.caps.isEmpty ? [:] : try spool.catalog.totals()
        for (camera, gone) in pass.goneTotals {
            totals[camera]?.frames -= gone.frames
            totals[camera]?.lost -= gone.lost
            totals[camera]?.bytes -= gone.bytes
        }
        // The space of recent deletions may still appear.
        let pending = pass.isDry ? 0 : room.pending(at: spool.clock.now)
        var short = max(0, try bytesLacking(of: pass.plan.minFree) - pending)
        if pass.isDry { short = max(0, short - pass.goneTotals.values.reduce(0) { $0 + $1.bytes }) }
        return RetentionExcess(pass.plan, totals: totals, free: try canFree(short) ? short : 0)
    }

    // MARK: - Deleting

    /// Deletes these pictures and returns those deleted; a file that cannot be removed does not affect the others.
    @discardableResult
    private func delete(
        _ due: [RetentionPass.Due],
        _ pass: inout RetentionPass,
        forRoom: Bool = false
    ) throws(Problem) -> [RetentionPass.Due] {
        let start = spool.clock.now
        var gone = due
        if !pass.isDry, !due.isEmpty {
            let before = forRoom ? try availableBytes() : 0
            let kept = try delete(due.map(\.row))
            for one in kept {
                try spool.passOver(one.error)
                guard !one.error.isFull, unremovable.insert(one, at: spool.clock.now) else { continue }
                spool.logger.warning(
                    "\(one.error) It is kept, and others are deleted instead.",
                    metadata: ["frame": "\(one.row.id)"]
                )
            }
            let ids = Set(kept.map(\.row.id))
            gone.removeAll { ids.contains($0.row.id) }
            if forRoom {
                let bytes = gone.reduce(0) { $0 + ($1.row.isLost ? 0 : RetentionExcess.onDisk($1.row.bytes)) }
                room.noteDeleted(bytes, before: before, after: try availableBytes(), at: spool.clock.now)
            }
        }
        pass.note(gone, took: spool.clock.now - start)
        return gone
    }

    /// Deletes these pictures and returns those whose files cannot be removed.
    private func delete(_ rows: [FrameRow]) throws(Problem) -> [FrameDeletion.Kept] {
        do throws(Problem) {
            return try FrameDeletion(spool: spool).delete(rows)
        } catch  where error.code == .spoolFull {
            // No space even for tombstones: removing the oldest files frees some; a kill now leaves rows without files.
            var left = Self.sacrifice
            for row in rows where left > 0 {
                do throws(FileError) {
                    try spool.files.remove("\(spool.folder)/\(row.path)", isFlushed: true)
                    left -= 1
                } catch {
                    try spool.passOver(error)
                }
            }
            return try FrameDeletion(spool: spool).delete(rows)
        }
    }

    // MARK: - Free space

    /// True if deleting all pictures could free that many bytes; otherwise none are deleted.
    func canFree(_ short: Int) throws(Problem) -> Bool {
        guard short > 0 else { return true }
        let most = try spool.catalog.totals().values.reduce(0) {
            $0 + $1.bytes + ($1.frames - $1.lost + ($1.films ?? 0)) * 4096
        }
        room.total = most
        if short > most, !isHopeless {
            spool.logger.error(
                "Other files fill the file system of the spool: no picture is deleted to make room on it",
                metadata: ["bytes-short": "\(short)", "bytes-of-pictures": "\(most)"]
            )
        }
        isHopeless = short > most
        return !isHopeless
    }

    /// Bytes to free so that `wanted` bytes are free.
    func bytesLacking(of wanted: UInt64) throws(Problem) -> Int {
        guard wanted > 0 else { return 0 }
        let available = try availableBytes()
        if room.look(available, at: spool.clock.now) { spool.logger.error("\(ineffectiveDeletion)") }
        return max(0, Int(clamping: wanted) - available)
    }

    func availableBytes() throws(Problem) -> Int {
        Int(clamping: try asProblem(try spool.files.availableBytes(at: spool.folder)))
    }

    var ineffectiveDeletion: Problem {
        let detail =
            "Pictures of \(room.unseen) bytes were deleted to make room on the file system of the spool "
            + "\(spool.folder), and the space has not become free: no more are deleted for that."
        let remedy = "Remove the snapshots or hard links, such as those of a backup, that still hold their bytes."
        return Problem(.spoolFull, detail, remedy: remedy, retryAfter: .seconds(10))
    }
}
