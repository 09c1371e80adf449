// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Progress of one retention pass, which runs in small steps on the storage thread, between which stills are stored.
struct RetentionPass: Sendable {
    enum Phase: Equatable, Sendable {
        /// Pictures past the age of the clause with this index, after this id.
        case ages(clause: Int, after: FrameID?)
        /// Pictures that exceed a limit or take up needed space, after this row in order of arrival.
        case limits(after: FrameRow?)
        /// As ``limits(after:)``, for the pictures that wait for an upload, after all others.
        case waiting(after: FrameRow?)
        case done
    }

    /// A picture to delete, and the rule by which.
    typealias Due = (row: FrameRow, rule: String)

    let plan: RetentionPlan
    let now: Timestamp
    /// Reference time of the last complete pass, to skip pictures that it deleted; nil to check all pictures.
    var since: Timestamp?
    /// Time since boot at the start; nil if ages are not checked.
    var uptime: Duration?
    var phase = Phase.ages(clause: 0, after: nil)
    var excess: RetentionExcess?
    var report: RetentionReport
    /// True if pictures that pins exempt are counted; otherwise pinned pictures are not read for limits at all.
    var countsPins = true
    private(set) var batch = 16
    /// Pictures that a dry run would have deleted.
    private(set) var gone: Set<FrameID> = []
    /// Totals by camera that a dry run would have deleted.
    private(set) var goneTotals: [String: FrameTotals] = [:]

    private static let dryBatch = 2000
    /// Maximum duration of a step: a third of the frame interval at 30 frames per second.
    private static let step = Duration.milliseconds(11)

    var isDry: Bool { report.isDryRun }
    var isDone: Bool { phase == .done }

    var limit: Int { isDry ? Self.dryBatch : batch }

    /// Records pictures as deleted, or as due in a dry run, each with its rule; adapts the batch size to `duration`.
    mutating func note(_ rows: [Due], took duration: Duration) {
        for (row, rule) in rows {
            let bytes = row.isLost ? 0 : row.bytes
            report.frames += 1
            report.bytes += bytes
            let victim = RetentionReport.Victim(
                id: row.id,
                camera: row.camera,
                capturedAt: row.capturedAt,
                bytes: row.bytes,
                rule: rule
            )
            if report.victims.count < RetentionReport.mostVictims { report.victims.append(victim) }
            guard isDry else { continue }
            gone.insert(row.id)
            let isStill = row.kind == nil
            let one = FrameTotals(frames: isStill ? 1 : 0, bytes: bytes, lost: isStill && row.isLost ? 1 : 0)
            goneTotals[row.camera] = goneTotals[row.camera, default: FrameTotals()] + one
        }
        if duration > Self.step {
            batch = max(1, batch / 2)
        } else if rows.count == batch, duration < Self.step / 3 {
            batch = min(FrameDeletion.batch, batch * 2)
        }
    }
}

/// Files that could not be removed, which retention passes over for a time.
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

/// Positions in the order of arrival up to which all pictures wait for an upload or are pinned, so that a backlog is not
/// read again for each new picture.
struct WaitingPictures {
    /// Numbers of rows, by the cameras of an excess; nil for all cameras.
    private var last: [Set<String>?: Int64] = [:]

    /// ``FrameRow/number`` to continue after; nil for the start.
    func last(of cameras: Set<String>?) -> Int64? { last[cameras] }

    /// Moves the position past `rows`, the next ones after `row` or the position, if none of them can be deleted.
    mutating func pass(_ rows: [FrameRow], _ waiting: Set<FrameID>, of cameras: Set<String>?, after row: FrameRow?) {
        // Not past the last number: another row may have the same.
        guard row.map({ $0.number - 1 == last[cameras] }) ?? true, let end = rows.last,
            rows.allSatisfy({ $0.isPinned || waiting.contains($0.id) })
        else { return }
        last[cameras] = max(end.number, 1) - 1
    }

    /// For pictures from this number on that may no longer wait, or be pinned.
    mutating func returnBefore(_ number: Int64) { last = last.mapValues { min($0, max(1, number) - 1) } }
}
