// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeModel

extension Storage {
    typealias Going = (row: FrameRow, rule: String)

    var retentionPlan: RetentionPlan {
        if let plan = maintenance.plan { return plan }
        let plan = RetentionPlan(configuration.retention, cameras: configuration.cameraRetention)
        maintenance.plan = plan
        return plan
    }

    /// Runs one step of a pass, which ends if the rules have changed; the next pass applies the new ones.
    ///
    /// Throws the errors of deleting. The pass can continue after that, past the pictures that could not be deleted.
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
        // The last pass deleted the pictures that were too old by then.
        let begin = pass.since.map { $0 - clause.keep }
        var filters: [FrameFilter] = [clause.filter, .is(.to(cutoff))]
        if let begin { filters.append(.is(.from(begin))) }
        // A single search step, so that stills do not wait for long.
        let found = try catalog.search(
            FrameFilter.all(filters).resolved(at: pass.now),
            order: .oldest,
            limit: pass.limit,
            after: last,
            within: .zero
        )
        pass.phase = found.end.map { .ages(clause: number, after: $0) } ?? .ages(clause: number + 1, after: nil)
        // The age of a picture taken with an unsynchronised clock is unknown.
        let old = found.rows.filter { $0.isClockSynchronized && !pass.gone.contains($0.id) }
        pass.report.keptByPin += old.count(where: \.isPinned)
        let going = old.filter { !$0.isPinned && !maintenance.unremovable.contains($0.id) }
        try letGo(going.map { ($0, clause.rule) }, &pass)
    }

    private func letGoByLimit(_ pass: inout RetentionPass, after last: NumberedRow?) throws(Problem) {
        var excess = if let known = pass.excess { known } else { try presentExcess(of: pass) }
        if !pass.isDry, maintenance.room.isExhausted { excess.giveUpRoom() }
        pass.excess = excess
        // During a rebuild, the oldest known picture may be the newest of all.
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
                // If some of the earlier ones cannot be removed, others must be deleted instead.
                pass.phase = .limits(after: behind)
                break
            }
            behind = numbered
            guard let rule, !pass.gone.contains(row.id), !maintenance.unremovable.contains(row.id) else { continue }
            guard !row.isPinned else {
                pass.report.keptByPin += 1
                continue
            }
            // A row without a file frees no space; it is deleted because it is older than the others.
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
        // The space of recent deletions may still appear.
        let pending = pass.isDry ? 0 : maintenance.room.pending(at: clock.now)
        var short = max(0, try bytesLacking(of: pass.plan.minFree) - pending)
        if pass.isDry { short = max(0, short - pass.goneTotals.values.reduce(0) { $0 + $1.bytes }) }
        return RetentionExcess(pass.plan, totals: totals, free: try canMake(short) ? short : 0)
    }

    /// True if deleting all pictures could free that many bytes; otherwise none are deleted.
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

    /// Bytes to free so that `wanted` bytes are free.
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

    func availableBytes() throws(Problem) -> Int { Int(clamping: try asProblem(try files.availableBytes(at: folder))) }

    var ineffectiveDeletion: Problem {
        Problem(
            .spoolFull,
            "Pictures of \(maintenance.room.unseen) bytes were deleted to make room on the file system of the spool "
                + "\(folder), and the space has not become free: no more are deleted for that.",
            remedy: "Remove the snapshots or hard links, such as those of a backup, that still hold their bytes.",
            retryAfter: .seconds(10)
        )
    }

    /// Deletes these pictures and returns those deleted; a file that cannot be removed does not affect the others.
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

    /// Logs and remembers a file that cannot be removed; throws if the spool itself is unusable.
    private func passOver(_ kept: FrameDeletion.Kept) throws(Problem) {
        try passOver(kept.error)
        guard !kept.error.isFull, maintenance.unremovable.insert(kept, at: clock.now) else { return }
        logger.warning(
            "\(kept.error) It is kept, and others are deleted instead.",
            metadata: ["frame": "\(kept.row.id)"]
        )
    }

    /// Deletes these pictures and returns those whose files cannot be removed.
    private func letGo(_ rows: [FrameRow]) throws(Problem) -> [FrameDeletion.Kept] {
        do throws(Problem) {
            return try deleteRemovable(rows)
        } catch  where error.code == .spoolFull {
            // The catalog has no space even for tombstones. Removing the oldest files frees some; a kill at this point
            // leaves rows without files.
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

    /// Number of files removed without a tombstone on a completely full disk.
    private static let sacrifice = 4
}

struct UnremovableFiles {
    /// Maximum number remembered; the others are tried again each time.
    private static let most = 10_000
    /// Time until all are tried again, since the cause may have been repaired.
    private static let lifetime = Duration.seconds(3600)

    private var ids: Set<FrameID> = []
    private var since: MonotonicTime?
    /// Error of the first of them.
    private(set) var example: FileError?

    func contains(_ id: FrameID) -> Bool { ids.contains(id) }

    mutating func insert(_ kept: FrameDeletion.Kept, at now: MonotonicTime) -> Bool {
        guard ids.count < Self.most else { return false }
        since = since ?? now
        example = example ?? kept.error
        return ids.insert(kept.row.id).inserted
    }

    mutating func forgetOld(at now: MonotonicTime) {
        if let since, now - since >= Self.lifetime { self = UnremovableFiles() }
    }
}
