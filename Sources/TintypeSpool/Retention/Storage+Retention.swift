// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeModel
internal import TintypeSystem

extension Storage {
    typealias Going = (row: FrameRow, rule: String)

    var retentionPlan: RetentionPlan {
        if let plan = maintenance.plan { return plan }
        let plan = RetentionPlan(configuration.retention, cameras: configuration.cameraRetention)
        maintenance.plan = plan
        return plan
    }

    /// Takes one step of a pass, which ends where other rules hold since: the next one goes by them.
    ///
    /// Throws what deleting throws; the pass may go on after that, behind what could not be deleted.
    func advance(_ pass: inout RetentionPass) throws(Problem) {
        guard pass.isDry || pass.plan == retentionPlan else {
            pass.phase = .done
            return
        }
        switch pass.phase {
        case .ages(let clause, let last):
            guard pass.report.withheld == nil, clause < pass.plan.ages.count else {
                pass.phase = .limits(after: nil)
                return
            }
            try letGoByAge(&pass, clause, after: last)
        case .limits(let last): try letGoByLimit(&pass, after: last)
        case .done: return
        }
    }

    private func letGoByAge(_ pass: inout RetentionPass, _ number: Int, after last: FrameID?) throws(Problem) {
        let clause = pass.plan.ages[number]
        let cutoff = pass.now - clause.keep
        // Pictures that were too old the last time were deleted then.
        let begin = pass.since.map { $0 - clause.keep }
        var filters: [FrameFilter] = [clause.filter, .is(.to(cutoff))]
        if let begin { filters.append(.is(.from(begin))) }
        // One step of the search, so that a still does not wait for long, whatever fits.
        let found = try catalog.search(
            FrameFilter.all(filters).resolved(at: pass.now),
            order: .oldest,
            limit: pass.limit,
            after: last,
            within: .zero
        )
        pass.phase = found.end.map { .ages(clause: number, after: $0) } ?? .ages(clause: number + 1, after: nil)
        // A picture of an unsynchronised clock has no known age.
        let old = found.rows.filter { $0.isClockSynchronized && !pass.gone.contains($0.id) }
        pass.report.keptByPin += old.count(where: \.isPinned)
        let going = old.filter { !$0.isPinned && !maintenance.unremovable.contains($0.id) }
        try letGo(going.map { ($0, clause.rule) }, &pass)
    }

    private func letGoByLimit(_ pass: inout RetentionPass, after last: NumberedRow?) throws(Problem) {
        var excess = if let known = pass.excess { known } else { try presentExcess(of: pass) }
        if !pass.isDry, maintenance.room.isExhausted { excess.giveUpRoom() }
        pass.excess = excess
        // While the catalog is rebuilt, the oldest that it knows may be the newest of all.
        guard !maintenance.isRebuilding, !excess.isCovered else {
            pass.phase = .done
            return
        }
        let rows = try catalog.inOrder(
            of: excess.cameras,
            pinned: pass.countsPins,
            lost: true,
            after: last,
            limit: pass.limit
        )
        pass.phase = rows.count < pass.limit ? .done : .limits(after: rows.last)
        var (rest, going): (RetentionExcess, [Going]) = (excess, [])
        var allowance = pass.isDry ? Int.max : maintenance.room.allowance
        var behind = last
        for numbered in rows {
            let row = numbered.row
            let rule = rest.rule(for: row.camera)
            if rest.isCovered || rule == RetentionExcess.room && allowance <= 0 {
                // If some of those before cannot be removed, others must be deleted in their place.
                pass.phase = .limits(after: behind)
                break
            }
            behind = numbered
            guard let rule, !pass.gone.contains(row.id), !maintenance.unremovable.contains(row.id) else { continue }
            guard !row.isPinned else {
                pass.report.keptByPin += 1
                continue
            }
            // A row whose file is gone makes no room; it goes because it is older than what does.
            if !row.isLost {
                rest.take(row.camera, bytes: row.bytes)
                allowance -= RetentionExcess.onDisk(row.bytes)
            }
            going.append((row, rule))
        }
        let gone = try letGo(going, &pass, forRoom: excess.free > 0)
        for row in gone.map(\.row) where !row.isLost { pass.excess?.take(row.camera, bytes: row.bytes) }
    }

    private func presentExcess(of pass: RetentionPass) throws(Problem) -> RetentionExcess {
        var totals = pass.plan.caps.isEmpty ? [:] : try catalog.totals()
        for (camera, gone) in pass.goneTotals {
            totals[camera]?.frames -= gone.frames
            totals[camera]?.lost -= gone.lost
            totals[camera]?.bytes -= gone.bytes
        }
        // The bytes of recent deletions may become free yet.
        let pending = pass.isDry ? 0 : maintenance.room.pending(at: clock.now)
        var short = max(0, try bytesLacking(of: pass.plan.minFree) - pending)
        if pass.isDry { short = max(0, short - pass.goneTotals.values.reduce(0) { $0 + $1.bytes }) }
        return RetentionExcess(pass.plan, totals: totals, free: try canMake(short) ? short : 0)
    }

    /// Whether so many bytes could become free if all pictures went; where not, none needs to go for nothing.
    func canMake(_ short: Int) throws(Problem) -> Bool {
        guard short > 0 else { return true }
        let most = try catalog.totals().values.reduce(0) { $0 + $1.bytes + ($1.frames - $1.lost) * 4096 }
        maintenance.room.total = most
        let isHopeless = short > most
        if isHopeless, !maintenance.isHopeless {
            logger.error(
                "Other files fill the file system of the spool: no picture is deleted to make room on it",
                metadata: ["bytes-short": "\(short)", "bytes-of-pictures": "\(most)"]
            )
        }
        maintenance.isHopeless = isHopeless
        return !isHopeless
    }

    /// How many bytes too few are free if `wanted` must be.
    func bytesLacking(of wanted: UInt64) throws(Problem) -> Int {
        guard wanted > 0 else { return 0 }
        let available = try availableBytes()
        if maintenance.room.look(available, at: clock.now) { logger.error("\(ineffectiveDeletion)") }
        return max(0, Int(clamping: wanted) - available)
    }

    func room() throws(Problem) -> SpoolRoom {
        SpoolRoom(
            freeBytes: try availableBytes(),
            totalBytes: Int(clamping: SystemCalls.totalBytes(at: folder)),
            minFreeBytes: Int(clamping: configuration.retention.minFree)
        )
    }

    func availableBytes() throws(Problem) -> Int {
        Int(clamping: try asProblem(try files.availableBytes(at: folder)))
    }

    /// Why no more pictures go for room.
    var ineffectiveDeletion: Problem {
        Problem(
            .spoolFull,
            "Pictures of \(maintenance.room.unseen) bytes were deleted to make room on the file system of the spool "
                + "\(folder), and the space has not become free: no more are deleted for that.",
            remedy:
                "Remove the snapshots or hard links, such as those of a backup, that still hold their bytes.",
            retryAfter: .seconds(10)
        )
    }

    /// Lets these go, and returns those that went: a file that cannot be removed keeps no other.
    @discardableResult
    private func letGo(
        _ going: [Going],
        _ pass: inout RetentionPass,
        forRoom: Bool = false
    ) throws(Problem) -> [Going] {
        let begin = clock.now
        var gone = going
        if !pass.isDry, !going.isEmpty {
            let before = forRoom ? try availableBytes() : 0
            let kept = try letGo(going.map(\.row))
            for one in kept { try passOver(one) }
            let ids = Set(kept.map(\.row.id))
            gone.removeAll { ids.contains($0.row.id) }
            if forRoom {
                let bytes = gone.reduce(0) { $0 + ($1.row.isLost ? 0 : RetentionExcess.onDisk($1.row.bytes)) }
                maintenance.room.noteDeleted(bytes, before: before, after: try availableBytes(), at: clock.now)
            }
        }
        pass.note(gone, took: clock.now - begin)
        return gone
    }

    /// Says and remembers that a file cannot be removed; throws where the spool itself cannot be used any more.
    private func passOver(_ kept: FrameDeletion.Kept) throws(Problem) {
        try passOver(kept.error)
        guard !kept.error.isFull, maintenance.unremovable.insert(kept, at: clock.now) else { return }
        logger.warning(
            "\(kept.error) This picture stays, and others are deleted.",
            metadata: ["frame": "\(kept.row.id)"]
        )
    }

    /// Lets these go, and returns those whose files cannot be removed.
    private func letGo(_ rows: [FrameRow]) throws(Problem) -> [FrameDeletion.Kept] {
        do throws(Problem) {
            return try deleteRemovable(rows)
        } catch  where error.code == .spoolFull {
            // The catalog finds no room even for tombstones. The oldest files make some: a kill right now leaves rows
            // whose files are gone.
            var left = Self.sacrifice
            for row in rows where left > 0 {
                do throws(FileError) {
                    try files.remove("\(folder)/\(row.path)", isFlushed: true)
                    left -= 1
                } catch {
                    try passOver(error)
                }
            }
            return try deleteRemovable(rows)
        }
    }

    /// How many files go without a tombstone where the disk is full to the last byte.
    private static let sacrifice = 4
}

/// Pictures that retention has found it cannot remove, and goes on behind.
struct UnremovableFiles {
    /// The most that are remembered; others are tried again each time.
    private static let most = 10_000
    /// For how long: it may have been mended.
    private static let lifetime = Duration.seconds(3600)

    private var ids: Set<FrameID> = []
    private var since: MonotonicTime?
    /// Why one of them could not be removed; nil if there is none.
    private(set) var example: FileError?

    func contains(_ id: FrameID) -> Bool { ids.contains(id) }

    /// Remembers one that was found at `now`; whether it is new.
    mutating func insert(_ kept: FrameDeletion.Kept, at now: MonotonicTime) -> Bool {
        guard ids.count < Self.most else { return false }
        since = since ?? now
        example = example ?? kept.error
        return ids.insert(kept.row.id).inserted
    }

    /// Forgets them where that is due.
    mutating func forgetOld(at now: MonotonicTime) {
        if let since, now - since >= Self.lifetime { self = UnremovableFiles() }
    }
}
